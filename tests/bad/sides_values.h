struct fire {
    int rounds;
};
