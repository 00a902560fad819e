"""TGDH and STR: section "TGDH and STR" of docs/protocol/v1.md."""

import math
from dataclasses import dataclass

from algorithms import ristretto
from agreements.agreement import Attachment, claims, element, hash_to_scalar, in_cluster_order, outcome, scalar_of
from encoding import Reader, digest_of_fields, number, require, sha256


@dataclass(frozen=True, eq=False)
class Leaf:
    owner: bytes
    since: int
    blinded: bytes
    height = 0

    def leaves(self):
        return [self]


@dataclass(frozen=True, eq=False)
class Branch:
    """`blinded` is None until it is published."""

    left: object
    right: object
    blinded: bytes | None = None

    @property
    def height(self):
        return 1 + max(self.left.height, self.right.height)

    def leaves(self):
        return self.left.leaves() + self.right.leaves()


@dataclass
class TreeState:
    """`keys`: this member's share and the keys above it, by the blinded key of the node."""

    tree: object
    keys: dict


def encode_tree(node):
    if isinstance(node, Leaf):
        return b"\0" + node.owner + number(node.since, 8) + node.blinded
    return b"\1" + node.blinded + encode_tree(node.left) + encode_tree(node.right)


def read_tree(reader):
    tag = reader.number(1)
    if tag == 0:
        return Leaf(reader.bytes(16), reader.number(8), reader.bytes(32))
    require(tag == 1, "a tree has an unknown node")
    blinded = reader.bytes(32)
    left = read_tree(reader)
    return Branch(left, read_tree(reader), blinded)


def decode_state(data):
    reader = Reader(data, "a state")
    reader.expect(1, "version")
    tree = read_tree(reader)
    reader.end()
    return tree


def digest(node):
    if len(node.leaves()) <= 8:
        return sha256(b"\0\1", encode_tree(node))
    return sha256(b"\1", node.blinded, digest(node.left), digest(node.right))


def with_leaf(node, leaf):
    """The tree with another leaf of the same owner. The branches above have no blinded key."""
    if isinstance(node, Leaf):
        return leaf if node.owner == leaf.owner else node
    left, right = with_leaf(node.left, leaf), with_leaf(node.right, leaf)
    return node if left is node.left and right is node.right else Branch(left, right)


# --- the new tree under TGDH -------------------------------------------------


def pruned(node, staying, sponsors):
    if isinstance(node, Leaf):
        return node if node.owner in staying else None
    left, right = pruned(node.left, staying, sponsors), pruned(node.right, staying, sponsors)
    if left and right:
        return node if left is node.left and right is node.right else Branch(left, right)
    promoted = left or right
    if promoted:
        sponsors.add(promoted.leaves()[-1].owner)
    return promoted


def joined(tree, added, sponsors):
    def fits(node, depth):
        return depth + 1 + max(node.height, added.height) <= tree.height

    def depths(node, depth):
        if fits(node, depth):
            yield depth
        elif isinstance(node, Branch):
            yield from depths(node.left, depth + 1)
            yield from depths(node.right, depth + 1)

    def here(node):
        sponsors.add(node.leaves()[-1].owner)
        return Branch(node, added)

    def insert(node, depth):
        if depth == target:
            return here(node) if fits(node, depth) else None
        if isinstance(node, Leaf):
            return None
        right = insert(node.right, depth + 1)
        if right:
            return Branch(node.left, right)
        left = insert(node.left, depth + 1)
        return left and Branch(left, node.right)

    target = min(depths(tree, 0), default=None)
    return here(tree) if target is None else insert(tree, 0)


def balanced(leaves):
    if len(leaves) == 1:
        return leaves[0]
    middle = (len(leaves) + 1) // 2
    return Branch(balanced(leaves[:middle]), balanced(leaves[middle:]))


def sibling_leaf(node, owner):
    if isinstance(node, Leaf):
        return None
    for child, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(child, Leaf) and child.owner == owner:
            return other.owner if isinstance(other, Leaf) else None
    return sibling_leaf(node.left, owner) or sibling_leaf(node.right, owner)


def oldest_owners(tree):
    owners, wanted = [], math.ceil(len(tree.leaves()) / 60)
    for leaf in sorted(tree.leaves(), key=lambda each: (each.since, each.owner)):
        if len(owners) >= wanted:
            break
        for owner in (leaf.owner, sibling_leaf(tree, leaf.owner)):
            if owner and owner not in owners:
                owners.append(owner)
    return owners


def depth_of(node, owner, depth=0):
    if isinstance(node, Leaf):
        return depth if node.owner == owner else None
    left = depth_of(node.left, owner, depth + 1)
    return depth_of(node.right, owner, depth + 1) if left is None else left


def arrange_tgdh(clusters, states, fresh):
    """The new tree, and its messages as (round, sponsor, branches)."""
    sponsors, trees, changes = set(), [], len(clusters) - 1
    for members in in_cluster_order(clusters):
        if len(members) == 1:
            trees.append(fresh(members[0]))
            continue
        state = states[tuple(members)]
        leavers = len(state.leaves()) - len(members)
        changes += leavers
        trees.append(pruned(state, set(members), sponsors) if leavers else state)
    tree = trees[0]
    for added in trees[1:]:
        tree = joined(tree, added, sponsors)
    newcomers = {members[0] for members in clusters if len(members) == 1}
    one_leaf = changes == 1 and (len(clusters) == 1 or newcomers)
    count = len(tree.leaves())
    if not one_leaf and tree.height > math.ceil(math.log2(count)) + 2:
        tree = balanced([fresh(leaf.owner) for leaf in tree.leaves()])
    elif len(newcomers) < len(clusters):
        if changes == 0:
            refreshing = oldest_owners(tree)
        else:
            places = [leaf.owner for leaf in reversed(tree.leaves())]
            candidates = [owner for owner in places if owner in sponsors and owner not in newcomers]
            refreshing = [min(candidates, key=lambda owner: depth_of(tree, owner))]
        for owner in refreshing:
            tree = with_leaf(tree, fresh(owner))
    return tree, chains_of(tree, newcomers)


def chains_of(tree, newcomers):
    chains = []

    def visit(node):
        if node.blinded is not None:
            return None
        left, right = visit(node.left), visit(node.right)
        if left is None and right is None:
            owners = [leaf.owner for leaf in node.leaves()]
            old = [owner for owner in owners if owner not in newcomers]
            chain = {"round": 1, "sponsor": (old or owners)[-1], "branches": [node]}
            chains.append(chain)
            return chain
        if left and right and left["round"] == right["round"]:
            spared = right["sponsor"] in newcomers and left["sponsor"] not in newcomers
            chain = left if spared else right
            chain["round"] += 1
        elif left and right:
            chain = max(left, right, key=lambda each: each["round"])
        else:
            chain = left or right
        chain["branches"].append(node)
        return chain

    visit(tree)
    return [(chain["round"], chain["sponsor"], chain["branches"]) for chain in chains]


# --- the new chain under STR -------------------------------------------------


def arrange_str(clusters, states, fresh):
    def order_of(members):
        if len(members) == 1:
            return members
        return [leaf.owner for leaf in states[tuple(members)].leaves() if leaf.owner in members]

    first, *others = in_cluster_order(clusters)
    added = [member for members in others for member in order_of(members)]
    kept, lowest, below = order_of(first), 0, None
    if len(first) > 1:
        leaves = states[tuple(first)].leaves()
        leavers = [place for place, leaf in enumerate(leaves) if leaf.owner not in first]
        if leavers:
            lowest = max(0, leavers[0] - 1)
        elif added:
            lowest = len(leaves) - 1
        else:
            lowest = min(range(len(leaves)), key=lambda place: (leaves[place].since, place))
        if lowest:
            below = states[tuple(first)]
            while len(below.leaves()) > lowest:
                below = below.left
    above = kept[lowest:] + added
    tree, branches = below, []
    for member in above:
        if tree is None:
            tree = fresh(member)
            continue
        tree = Branch(tree, fresh(member))
        branches.append(tree)
    return tree, [(1, above[0], branches)] if branches else []


ARRANGE = {"tgdh": arrange_tgdh, "str": arrange_str}

# --- one member's agreement --------------------------------------------------


def decode_message(data, module):
    """("state", bytes), or ("keys", round, blinded keys)."""
    reader = Reader(data, "a message of the agreement")
    reader.expect(1, "version")
    if reader.number(1) == 0:
        return ("state", reader.rest())
    round_ = reader.number(1)
    count = reader.number(1 if module == "tgdh" else 2)
    keys = [reader.bytes(32) for _ in range(count)]
    reader.end()
    return ("keys", round_, keys)


def gather(view, own, own_state):
    """The clusters, their trees, and the states that were multicast in round 0."""
    shared, newcomers = claims(view)
    clusters, states, multicasts = [[member] for member in newcomers], {}, []
    sent = {sender: data for sender, data in view.multicasts if decode_message(data, view.module)[0] == "state"}
    for members, standing in shared:
        expected = standing[32:]

        def matches(data):
            return state_hash(view.module, decode_state(data)) == expected

        tree = own_state.tree if own in members else None
        attached = [view.decoded[member].state for member in members if view.decoded[member].state]
        for data in attached:
            require(matches(data), "an attached state is not the one of its hash")
        everybody = len(shared) == 1 and not newcomers
        if not attached and not everybody:
            data = sent.pop(members[0], None)
            require(data is not None, "a cluster's state is missing")
            require(matches(data[2:]), "a state is not the one of its hash")
            multicasts.append((0, members[0], data))
            attached = [data[2:]]
        tree = tree or decode_state(attached[0])
        owners = {leaf.owner for leaf in tree.leaves()}
        clusters += [[member] for member in members if member not in owners]
        members = [member for member in members if member in owners]
        if members:
            clusters.append(members)
            states[tuple(members)] = tree
    require(not sent, "a state was multicast that nobody asked for")
    return clusters, states, multicasts


def state_hash(module, tree):
    return digest_of_fields(f"keymoot v1 {module} state", digest(tree))


def agree_tree(view, own, share, state, _random):
    """`share`: the random bytes behind this member's attachment. `state`: its TreeState that the attachment names."""
    scalar = scalar_of(share)
    require(element(scalar) == view.decoded[own].share, "this member's Z is not of its share")
    clusters, states, multicasts = gather(view, own, state)

    def fresh(member):
        attachment: Attachment = view.decoded[member]
        ristretto.decode(attachment.share)
        return Leaf(member, view.epoch, attachment.share)

    tree, publications = ARRANGE[view.module](clusters, states, fresh)
    published = {}
    keys = [(sender, data, decode_message(data, view.module)) for sender, data in view.multicasts]
    received = {(sender, message[1]): (data, message[2]) for sender, data, message in keys if message[0] == "keys"}
    for round_, sponsor, branches in publications:
        data, blinded = received.pop((sponsor, round_), (None, []))
        require(data is not None, f"the blinded keys of round {round_} by {sponsor.hex()} are missing")
        require(len(blinded) == len(branches), "a message has another number of blinded keys than prescribed")
        multicasts.append((round_, sponsor, data))
        published.update(zip(map(id, branches), blinded))
    require(not received, "blinded keys were multicast that are not prescribed")
    known = {**(state.keys if state else {}), element(scalar): scalar}
    own_keys, top = climb(tree, own, published, known, view.module)
    complete = completed(tree, published)
    top = top or scalar.to_bytes(32, "little")
    return outcome(view, multicasts, top, digest(complete), TreeState(complete, own_keys))


def completed(node, published):
    if isinstance(node, Leaf):
        return node
    blinded = node.blinded or published[id(node)]
    return Branch(completed(node.left, published), completed(node.right, published), blinded)


def climb(tree, own, published, known, module):
    """Recomputes every blinded key on the path. Returns the keys by blinded key, and what the root's children share."""

    def blinded_of(node):
        return node.blinded or published[id(node)]

    def ascend(node):
        if isinstance(node, Leaf):
            require(node.blinded in known, "this member does not know the share of its leaf")
            return known[node.blinded], {node.blinded: known[node.blinded]}, None
        on_left = any(leaf.owner == own for leaf in node.left.leaves())
        below, sibling = (node.left, node.right) if on_left else (node.right, node.left)
        key, keys, _ = ascend(below)
        shared = (ristretto.decode(blinded_of(sibling)) * key).encode()
        above = hash_to_scalar(f"keymoot v1 {module} node key", shared)
        require(element(above) == blinded_of(node), "a blinded key is not the one of the children's keys")
        return above, {**keys, blinded_of(node): above}, shared

    _, keys, shared = ascend(tree)
    return keys, shared
