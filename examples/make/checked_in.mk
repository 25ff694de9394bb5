# Lists that are checked in, in generated/: a build needs a C compiler and nothing of Bespoke. After a change of
# fleet.yaml, run `make -f checked_in.mk regen`, which needs Bespoke; `make -f checked_in.mk check` finds stale files.

BESPOKE ?= bespoke
CFLAGS ?= -std=c99 -O2 -Wall -Wextra
CPPFLAGS += -MMD -MP -Igenerated -I.

objects/game: objects/main.o objects/fleet.o
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

objects/%.o: %.c
	@mkdir -p objects
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
vpath %.c generated

check:
	$(BESPOKE) check fleet.yaml -o generated
regen:
	$(BESPOKE) generate fleet.yaml -o generated
.PHONY: check regen

-include $(wildcard objects/*.d)
