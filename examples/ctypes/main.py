"""A list of ships, in Python: elements by value, a hook, a pass that removes, and handles."""

import ctypes
import os
import sys
import tempfile

from binding import Library

HERE = os.path.dirname(os.path.abspath(__file__))


class Ship(ctypes.Structure):
    _fields_ = [("number", ctypes.c_uint32), ("hull", ctypes.c_int)]


def main():
    bespoke = (sys.executable, os.path.join(HERE, "..", "..", "bespoke"))
    with tempfile.TemporaryDirectory() as folder:
        library = Library(os.path.join(HERE, "fleet.yaml"), {"struct ship": Ship}, folder, [HERE], bespoke)
        library.on("ship_sinks", lambda list_, ship: print("sinks:", Ship.from_address(ship).number))
        fleet = library.new("fleet")
        for number in range(1, 7):
            fleet.add(Ship(number, number % 3))
        flagship = fleet.handle_of(next(iter(fleet)))
        fleet.settle()  # ends that pass, which was left
        with iter(fleet) as ships:
            for ship in ships:
                if ship.hull == 0:
                    ships.remove_current()
        print("left:", sorted(ship.number for ship in fleet))
        print("flagship:", fleet.get(flagship).number)
        print("again:", fleet.remove(flagship).name, fleet.remove(flagship).name)
        fleet.deinit()


if __name__ == "__main__":
    main()
