struct boat {
    int id, draught;
};
double draught(const struct boat *boat);
