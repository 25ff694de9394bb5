"""What is different in a tree: elements are moved and removed with their descendants, and an update follows its pass."""

from calls import Calls, Frame
from model import Wrong


class Trees(Calls):
    """Moves of subtrees, and updates of trees."""

    def being_removed(self, *elements):
        """Is one of them on its way out, by a call whose hooks run? Of what has expired it is not known."""
        return any(each in frame.victims for frame in self.frames for each in elements) or bool(self.frames) and any(each.gone for each in elements)

    def unseen(self, *elements):
        """Is one of them not found by a loop, which is how this container finds its elements?"""
        return self.s.walks and any(each.gone for each in elements)

    def move_subtree(self):
        """T_move_before and its siblings, as the page and the header state them."""
        m = self.model
        names = [each for each in ('move_before', 'move_after', 'move_to_front', 'move_to_back', 'move_to_parent') if self.has(each)]
        if not names or not m.order:
            return
        name, element, at = self.random.choice(names), self.some(), self.some()
        if name == 'move_to_parent' and self.random.random() < .2:
            at = None
        others = [at] if at is not None and name in ('move_before', 'move_after', 'move_to_parent') else []
        if self.being_removed(element, *others) or self.unseen(element, *others) or self.frames and name == 'move_to_front' and element.parent is None:
            return
        given = [0, element.tag] + [each.tag for each in others] + [0] * (name == 'move_to_parent' and at is None)
        got = self.named(self.during(Frame(), name, *given))
        parent = {'move_before': at and at.parent, 'move_after': at and at.parent, 'move_to_parent': at}.get(name, element.parent)
        if parent is not None and element in parent.line_up():
            self.expect(name, got, 'CYCLE')
            return
        self.expect(name, got, 'OK')
        siblings = [each for each in m.order if each.parent is parent]
        behind = {'move_before': at, 'move_after': self.sibling(siblings, at), 'move_to_front': siblings[0] if siblings else None}.get(name)
        if parent is element.parent and behind in (element, self.sibling(siblings, element)):
            for each in m.passes:
                each.uncertain_end = m.fails_fast  # it is there already: is that a change?
            return
        m.move_subtree(element, parent, behind)

    @staticmethod
    def sibling(siblings, element):
        """The next one; None: it is the last."""
        place = siblings.index(element) + 1 if element in siblings else len(siblings)
        return siblings[place] if place < len(siblings) else None

    # -- T_update with a hook --

    def update_tree(self, frame):
        """It is a pass itself."""
        frame.pass_of_update = self.model.begin(self.c['iteration.direction'] == 'backward')
        self.during(frame, 'update', 0)
        self.update_goes_on(frame, None)

    def update_goes_on(self, frame, element):
        """The update comes to an element, or None: to its end. What it has left behind is removed, or was to be skipped."""
        m, a_pass = self.model, frame.pass_of_update
        ask = self.c['removal.ask'] or 'after_update'
        if a_pass.current is not None and a_pass.current.flag and ask != 'before_update':
            self.update_removed(a_pass.current)
        for each in list(a_pass.line(m)):
            if each is element:
                break
            if each not in m.order or not a_pass.may(each):
                continue
            if ask != 'after_update' and each.flag:
                self.update_removed(each)
            elif ask == 'after_update' or not (a_pass.backward and each.gone):
                raise Wrong('the update comes to %r, and it is the turn of %r' % (element, each))
        if element is None:
            m.end(a_pass)
        elif element not in a_pass.line(m) or ask != 'after_update' and (element.gone if a_pass.backward else element.flag):
            raise Wrong('the update comes to %r, which is not ahead of it' % element)
        else:
            a_pass.visit(m, element)

    def update_removes(self, frame, element):
        """A hook reports that it removes an element: the pass stands on that, or on one of its ancestors."""
        m, a_pass = self.model, frame.pass_of_update
        if frame.root in element.line_up():
            return  # also if a hook has moved it since
        if a_pass.current in element.line_up():
            frame.root = a_pass.current
            return
        frame.root = root = next((each for each in a_pass.line(m) if each.flag), None)
        if root not in element.line_up():
            raise Wrong('the update removes %r, and it is the turn of %r' % (element, root))
        for each in a_pass.line(m)[:a_pass.line(m).index(root)]:
            if not (a_pass.backward and each.gone):
                raise Wrong('the update removes %r, and it is the turn of %r' % (root, each))
        a_pass.visit(m, root)

    def update_removed(self, root):
        """It has expired, and the update is behind it."""
        for each in reversed(self.model.subtree(root)):
            if self.hooked:
                raise Wrong('the update left %r, which has expired' % each)
            self.model.leave(each)
