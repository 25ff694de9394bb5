/* Only its name is looked at. */
struct ship;
