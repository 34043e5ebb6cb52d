"""People who share, open, leave, are removed and call at random: what each may do follows from what was done."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from quire.api.library import Library
from quire.domain.errors import Conflict, NotAllowed, NotFound
from quire.domain.sharing import Actor, Role
from quire.entry.bootstrap import build
from quire.entry.settings import Settings

PEOPLE = ("owner", "ada", "ben", "cid")
who = st.sampled_from(PEOPLE)
somebody = st.sampled_from(PEOPLE[1:])
which = st.sampled_from((0, 1))
permission = st.sampled_from(("viewer", "editor"))


def address(name: str) -> str:
    return f"{name}@example.com"


class Sharing(RuleBasedStateMachine):
    """Beside the library stands a model of it: for each notebook who has which role, and how."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        made = Settings.model_validate({"home": "/nowhere", "store": "memory", "embedder": "none"})
        self.library = build(made)
        self.ids: dict[str, str] = {"owner": "owner"}
        self.notebooks: list[str] = []
        self.notes: list[str] = []
        self.roles: list[dict[str, Role]] = []
        self.by_link: list[set[str]] = []
        self.invited: list[dict[str, Role]] = []
        self.public = [False, False]
        self.level = ["full", "full"]

    def run(self, call: Any) -> Any:
        return self.loop.run_until_complete(call)

    def as_(self, name: str) -> Library:
        return self.library.as_actor(Actor(id=self.ids.get(name, f"gone-{name}")))

    @initialize()
    def two_notebooks(self) -> None:
        """One of the server's owner, one of Ada's."""
        self.run(self.library.people.update("owner", email=address("owner")))
        self.add("ada")
        for maker in ("owner", "ada"):
            library = self.as_(maker)
            id = self.run(library.notebooks.create(f"Of {maker}")).id
            self.notebooks.append(id)
            self.notes.append(self.run(library.notes.create(id, "A note", "")).id)
            self.roles.append({maker: Role.OWNER})
            self.by_link.append(set())
            self.invited.append({})

    def add(self, name: str) -> None:
        self.ids[name] = self.run(self.library.people.add(name, address(name))).id

    def seen(self, notebook: int, name: str) -> Role | None:
        """The role that somebody's calls are held against."""
        role = self.roles[notebook].get(name) if name in self.ids else None
        return Role.CHAT_ONLY if role is Role.VIEWER and self.level[notebook] == "chat" else role

    def tried(self, call: Any, needs: Role, notebook: int, name: str) -> bool:
        """Makes a call that needs a role, holds its end against the model, and says whether it may have done it."""
        role = self.seen(notebook, name)
        try:
            self.run(call)
        except NotFound as error:
            if role is None or error.details["noun"] == "person":
                return False
            raise
        except NotAllowed:
            assert role is not None
            assert role < needs
            return False
        except Conflict:
            assert role is not None
            assert role >= needs
            return False
        assert role is not None, "it was found"
        assert role >= needs, "it was allowed"
        return True

    @rule(name=somebody)
    def somebody_comes(self, name: str) -> None:
        if name not in self.ids:
            self.add(name)
            for notebook in (0, 1):
                if name in self.invited[notebook]:
                    self.roles[notebook][name] = self.invited[notebook].pop(name)

    @rule(name=st.sampled_from(("ben", "cid")))
    def somebody_is_removed(self, name: str) -> None:
        if name in self.ids:
            self.run(self.library.people.remove(address(name)))
            del self.ids[name]
            for notebook in (0, 1):
                self.roles[notebook].pop(name, None)
                self.by_link[notebook].discard(name)

    @rule(name=who, other=who, notebook=which, permission=permission)
    def share(self, name: str, other: str, notebook: int, permission: Any) -> None:
        call = self.as_(name).sharing.add_user(self.notebooks[notebook], address(other), permission)
        if self.tried(call, Role.OWNER, notebook, name):
            role = Role[permission.upper()]
            if other in self.ids:
                self.roles[notebook][other] = role
                self.by_link[notebook].discard(other)
            else:
                self.invited[notebook][other] = role

    @rule(name=who, other=who, notebook=which)
    def unshare(self, name: str, other: str, notebook: int) -> None:
        call = self.as_(name).sharing.remove_user(self.notebooks[notebook], address(other))
        if self.tried(call, Role.OWNER, notebook, name):
            self.roles[notebook].pop(other, None)
            self.by_link[notebook].discard(other)
            self.invited[notebook].pop(other, None)

    @rule(name=who, notebook=which, public=st.booleans())
    def publish(self, name: str, notebook: int, public: bool) -> None:
        if self.tried(self.as_(name).sharing.set_public(self.notebooks[notebook], public), Role.OWNER, notebook, name):
            self.public[notebook] = public
            if not public:
                for one in self.by_link[notebook]:
                    del self.roles[notebook][one]
                self.by_link[notebook].clear()

    @rule(name=who, notebook=which, level=st.sampled_from(("full", "chat")))
    def look(self, name: str, notebook: int, level: Any) -> None:
        if self.tried(
            self.as_(name).sharing.set_view_level(self.notebooks[notebook], level), Role.OWNER, notebook, name
        ):
            self.level[notebook] = level

    @rule(name=who, notebook=which)
    def open(self, name: str, notebook: int) -> None:
        member = name in self.ids and name in self.roles[notebook]
        try:
            self.run(self.as_(name).sharing.open(self.notebooks[notebook]))
        except NotFound:
            assert not member
            assert not (self.public[notebook] and name in self.ids)
            return
        assert member or self.public[notebook]
        if not member:
            self.roles[notebook][name] = Role.VIEWER
            self.by_link[notebook].add(name)

    @rule(name=who, notebook=which)
    def leave(self, name: str, notebook: int) -> None:
        if self.tried(self.as_(name).sharing.leave(self.notebooks[notebook]), Role.CHAT_ONLY, notebook, name):
            del self.roles[notebook][name]
            self.by_link[notebook].discard(name)

    @rule(name=who, notebook=which, probe=st.sampled_from(("get", "read", "write", "delete")))
    def call(self, name: str, notebook: int, probe: str) -> None:
        library, id, note = self.as_(name), self.notebooks[notebook], self.notes[notebook]
        calls: dict[str, tuple[Role, Any]] = {
            "get": (Role.CHAT_ONLY, lambda: library.notebooks.get(id)),
            "read": (Role.VIEWER, lambda: library.notes.get(None, note)),
            "write": (Role.EDITOR, lambda: library.notes.update(None, note, "Another")),
            "delete": (Role.OWNER, lambda: library.sharing.log(id)),
        }
        needs, made = calls[probe]
        self.tried(made(), needs, notebook, name)

    @invariant()
    def lists_hold_what_one_is_a_member_of(self) -> None:
        for name in PEOPLE:
            listed = {one.id: one.role for one in self.run(self.as_(name).notebooks.list())}
            for notebook, id in enumerate(self.notebooks):
                assert listed.get(id) == self.seen(notebook, name)

    @invariant()
    def the_status_tells_who_has_access(self) -> None:
        for notebook, id in enumerate(self.notebooks):
            status = self.run(self.as_(("owner", "ada")[notebook]).sharing.get_status(id))
            members = self.roles[notebook].keys() - self.by_link[notebook] & self.ids.keys()
            assert {one.email for one in status.users if not one.pending} == {address(one) for one in members}
            pending = {address(one) for one in self.invited[notebook]}
            assert {one.email for one in status.users if one.pending} == pending
            assert (status.public, status.by_link) == (self.public[notebook], len(self.by_link[notebook]))

    def teardown(self) -> None:
        try:
            self.run(self.library.close())
        finally:
            self.loop.close()


def test_roles_follow_from_what_was_shared() -> None:
    quick = settings(max_examples=8, stateful_step_count=25, deadline=None, database=None)
    run_state_machine_as_test(Sharing, settings=quick)


@pytest.mark.long
def test_roles_follow_from_what_was_shared_in_many_ways() -> None:
    run_state_machine_as_test(
        Sharing,
        settings=settings(
            max_examples=150,
            stateful_step_count=60,
            deadline=None,
            database=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
