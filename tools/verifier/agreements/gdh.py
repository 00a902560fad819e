"""GDH: section "GDH and CKD" of docs/protocol/v1.md."""

import math
from dataclasses import dataclass

from algorithms import ristretto
from agreements.agreement import claims, outcome, scalar_of, seats_of
from encoding import Reader, digest_of_fields, number, require

BASE = ristretto.BASE


@dataclass
class GdhState:
    """`partials`: the public partial key of each member. `share`: this member's own."""

    seats: list
    partials: dict
    share: int


def commitment_to(key):
    return digest_of_fields("keymoot v1 gdh commitment", key)


def trail(unicasts):
    return digest_of_fields("keymoot v1 gdh unicasts", *unicasts)


def decode(data):
    """(tag, hash, commitment, elements)."""
    reader = Reader(data, "a GDH message")
    reader.expect(1, "version")
    tag = reader.number(1)
    require(tag <= 3, "a GDH message has an unknown tag")
    before = reader.bytes(32) if tag in (0, 3) else b""
    commitment = reader.bytes(32) if tag == 3 else b""
    elements = reader.list(lambda each: each.bytes(32)) if tag == 3 else [reader.bytes(32)]
    reader.end()
    for data_of_element in elements:
        ristretto.decode(data_of_element)
    return tag, before, commitment, elements


def times(data, scalar):
    return (ristretto.decode(data) * scalar).encode()


def agree_gdh(view, own, share, state, _random):
    fresh = scalar_of(share)
    seats = seats_of(view)
    shared, _ = claims(view)
    seniors = [owner for owner, since in seats if since != view.epoch]
    require(not seniors or shared, "seats without a cluster")
    newcomers = [owner for owner, since in seats if since == view.epoch]
    if len(seats) == 1:
        partials = {own: BASE.encode()}
        return finish(view, seats, partials, fresh, [], times(partials[own], fresh))
    if seniors and not newcomers:
        return refresh(view, own, fresh, seats, state)
    return merge(view, own, fresh, seats, seniors, newcomers, state)


def reseated(seats, refreshing, epoch):
    return [(owner, epoch if owner in refreshing else since) for owner, since in seats]


def refresh(view, own, fresh, seats, state):
    """`state` has all members' partial keys, also those of members that left."""
    if len(seats) < len(state.seats):
        controllers = [seats[-1][0]]
    else:
        by_age = sorted(seats, key=lambda seat: (seat[1], seat[0]))
        controllers = [owner for owner, _ in by_age[: math.ceil(len(seats) / 60)]]
    partials, sent, multicasts, key = dict(state.partials), dict(view.multicasts), [], None
    share = fresh if own in controllers else state.share
    old_share = state.share
    require(set(sent) == set(controllers), "another member than the controllers has sent a list")
    for place, controller in enumerate(controllers):
        tag, before, commitment, elements = decode(sent[controller])
        require(tag == 3 and before == trail([]), "a refresh is no list without unicasts")
        others = [owner for owner, _ in seats if owner != controller]
        require(len(elements) == len(others), "a list has another number of partial keys")
        if own == controller:
            ratio = pow(old_share, -1, ristretto.ORDER) * fresh
            require([times(partials[owner], ratio) for owner in others] == elements, "this member's list is another one")
            old_share = fresh
        partials = {**dict(zip(others, elements)), controller: partials[controller]}
        key = times(partials[own], old_share)
        require(commitment == commitment_to(key), "a list leads to another key than it commits to")
        multicasts.append((place + 1, controller, sent[controller]))
    return finish(view, reseated(seats, controllers, view.epoch), partials, share, multicasts, key)


def merge(view, own, fresh, seats, seniors, newcomers, state):
    chain = ([seniors[-1]] if seniors else []) + newcomers
    controller = chain[-1]
    share = fresh if own in chain else state.share
    tokens = {to: (sender, data) for sender, to, data in view.unicasts if decode(data)[0] == 0}
    for before, member in zip(chain, chain[1:]):
        require(tokens.get(member, (None,))[0] == before, "a token is missing in the chain")
    check_own_token(own, fresh, seniors, chain, tokens, state)
    messages = [(sender, data, decode(data)) for sender, data in view.multicasts]
    (broadcast,) = [each for each in messages if each[2][0] == 1]
    (listed,) = [each for each in messages if each[2][0] == 3]
    require(broadcast[0] == controller == listed[0], "another member than the newest seat has sent a list")
    token = broadcast[2][3][0]
    require(token == decode(tokens[controller][1])[3][0], "the last token is not the one of the chain")
    answers = {sender: data for sender, _, data in view.unicasts if decode(data)[0] == 2}
    others = [owner for owner, _ in seats if owner != controller]
    _, before, commitment, elements = listed[2]
    require(before == trail([tokens[controller][1], *(answers[owner] for owner in others)]), "a list names other unicasts")
    require(len(elements) == len(others), "a list has another number of partial keys")
    if own != controller:
        inverse = pow(share, -1, ristretto.ORDER)
        require(decode(answers[own])[3][0] == times(token, inverse), "this member's answer is another one")
    else:
        expected = [times(decode(answers[owner])[3][0], share) for owner in others]
        require(elements == expected, "this member's list is another one")
    partials = {**dict(zip(others, elements)), controller: token}
    key = times(partials[own], share)
    require(commitment == commitment_to(key), "a list leads to another key than it commits to")
    multicasts = [(len(chain), controller, broadcast[1]), (len(chain) + 2, controller, listed[1])]
    refreshing = seniors[-1:]
    return finish(view, reseated(seats, refreshing, view.epoch), partials, share, multicasts, key)


def check_own_token(own, fresh, seniors, chain, tokens, state):
    """What this member passed on."""
    if own not in chain[:-1]:
        return
    place = chain.index(own)
    _, before, _, (sent,) = decode(tokens[chain[place + 1]][1])
    if place > 0:
        received = tokens[own][1]
        require(before == trail([received]), "a token names another one than was received")
        require(sent == times(decode(received)[3][0], fresh), "this member's token is another one")
    else:
        base = state.partials[own] if seniors else BASE.encode()
        require(before == trail([]), "the first token names another one")
        require(sent == times(base, fresh), "this member's token is another one")


def finish(view, seats, partials, share, multicasts, key):
    kept = {owner: partials[owner] for owner, _ in seats}
    state = b"\1" + b"".join(owner + number(since, 8) for owner, since in seats)
    digest = state + b"".join(kept[owner] for owner, _ in seats)
    return outcome(view, multicasts, key, digest, GdhState(seats, kept, share))
