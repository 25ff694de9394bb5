#include "glyphs.h"
#include <stdio.h>

static unsigned cells; /* bit k: cell k of the texture is in use */

/* A glyph has been added: it is drawn into a free cell. */
void glyphs_draws(glyphs *list, struct glyph *glyph)
{
    (void)list;
    while ((cells >> glyph->cell & 1) != 0) {
        glyph->cell++;
    }
    cells |= 1u << glyph->cell;
    printf("%c is drawn into cell %u\n", (char)glyph->letter, glyph->cell);
}

/* A glyph has been removed: its cell is free. */
void glyphs_frees(glyphs *list, struct glyph *glyph)
{
    (void)list;
    cells &= ~(1u << glyph->cell);
    printf("%c is removed after %u uses\n", (char)glyph->letter, glyph->uses);
}

static void print(glyphs *cache, char letter)
{
    struct glyph *glyph = glyphs_find(cache, (unsigned char)letter);

    if (glyph != NULL) {
        glyph->uses++;
        glyphs_move_to_back(cache, glyph); /* now it is the one used last */
    } else {
        struct glyph made = {(unsigned char)letter, 0, 1};

        (void)glyphs_add(cache, made); /* if the cache is full, this removes the first one */
    }
}

int main(void)
{
    glyphs cache = {0};

    for (const char *letter = "lavalakelagoon"; *letter != '\0'; letter++) {
        print(&cache, *letter);
    }
    printf("in the cache, the one used last at the end:");
    GLYPHS_EACH(&cache, glyph) {
        printf(" %c", (char)glyph->letter);
    }
    printf("\n");
    glyphs_deinit(&cache); /* removes all, with the hook */
    printf("%s\n", cells == 0 ? "no cell is in use" : "a cell is in use");
    return 0;
}
