/* What is in the struct depends on the preprocessor. */
struct raft {
    int id;
#ifdef RAFT_SAILS
    int sails;
#endif
};
