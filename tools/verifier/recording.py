"""Replays a recorded conference: signatures, views, key schedule, order and texts."""

import json
from dataclasses import dataclass, field

import batches
import schedule
from agreements.agreement import View, element, scalar_of
from agreements.agreement_vectors import AGREE
from conference import open_descriptor, read_certificate, read_link, statements_digest
from encoding import Reader, require, sha256
from frames import read_frame

LOG_ITEM = 1


@dataclass
class InstalledView:
    """A view that the recording member was in, with the frames that were sent in it."""

    id: bytes
    epoch: int
    members: list
    attachments: dict
    data: list = field(default_factory=list)
    agreement: list = field(default_factory=list)
    orders: list = field(default_factory=list)

    @property
    def ids(self):
        return [member for member, _ in self.members]


class Replay:
    def __init__(self, recording):
        self.recording = recording
        self.own = bytes.fromhex(recording["member"])
        conference, secret, hash_ = read_link(recording["link"])
        data = bytes.fromhex(recording["descriptor"])
        self.descriptor = open_descriptor(data, secret, hash_)
        require(conference == self.descriptor.conference_id, "the link's conference id is not the descriptor's")
        people = [self.descriptor.creator] + [read_certificate(bytes.fromhex(c)) for c in recording["certificates"]]
        self.people = {person.member: person for person in people}
        self.key_of = {person.fingerprint: person.public_key for person in people}
        self.randomness = {bytes.fromhex(each["view"]): each for each in recording["randomness"]}
        self.outcomes = {}
        """Of the agreements so far, by the standing that they give."""
        self.tag = sha256(self.descriptor.conference_id, self.descriptor.hash)

    def run(self):
        """Lines that say what was verified. Raises Invalid."""
        self.frames = [read_frame(bytes.fromhex(data), self.tag, self.people) for data in self.recording["frames"]]
        views = self._views()
        lines = [f"{len(self.frames)} frames have valid signatures of {len(self.people)} people"]
        texts = []
        for view in views:
            keys = self._keys(view)
            if keys is None:
                lines.append(f"view {view.id.hex()[:8]} (epoch {view.epoch}, {len(view.members)} members): ended without a key")
                continue
            said = self._texts(view, keys)
            texts += said
            count, confirmed = len(view.members), len(keys["confirmed"])
            what = f"{confirmed} of {count} confirmations, {len(said)} messages in order"
            lines.append(f"view {view.id.hex()[:8]} (epoch {view.epoch}, {count} members): {what}")
        expected = [(each["author"], each["text"]) for each in self.recording["delivered"]]
        require(texts == expected, f"the members said {texts}, and the recording says {expected}")
        return lines + [f"all {len(texts)} texts are those that the member delivered"]

    def _views(self):
        """From the INSTALL frames, by epoch."""
        views = {}
        for frame in self.frames:
            if frame.kind == "install":
                view = self._installed(frame)
                if self.own in view.ids:
                    views[view.id] = view
        for frame in self.frames:
            view = views.get(frame.view)
            if frame.kind in ("data", "agreement", "order"):
                require(view is not None, f"a frame of the kind {frame.kind} is of an unknown view")
                lists = {"data": view.data, "agreement": view.agreement, "order": view.orders}
                require(frame.origin in view.ids, f"a frame of the kind {frame.kind} is not of a member of its view")
                lists[frame.kind].append(frame)
        return sorted(views.values(), key=lambda view: view.epoch)

    def _installed(self, install):
        epoch, coordinator = install.content["proposal"]
        syncs = [read_frame(data, self.tag, self.people) for data in install.content["syncs"]]
        require(all(sync.kind == "sync" for sync in syncs), "an INSTALL holds another frame than a SYNC")
        members = sorted((sync.origin, sync.content["incarnation"]) for sync in syncs)
        for sync in syncs:
            require(sync.content["proposal"] == (epoch, coordinator), "a SYNC answers another proposal")
            require(sync.content["membersDigest"] == schedule.members_digest(members), "a SYNC names other members")
        id_ = schedule.view_id(epoch, coordinator, members, [sync.digest for sync in syncs])
        return InstalledView(id_, epoch, members, {sync.origin: sync.content["attachment"] for sync in syncs})

    def _keys(self, view):
        """None for a view that ended before this member had its key."""
        digest = statements_digest([])
        require(all(each[:32] == digest for each in view.attachments.values()), "a member knows statements of hosts")
        attachments = {member: each[32:] for member, each in view.attachments.items()}
        messages, unicasts, post_quantum, confirmations = self._agreement_frames(view)
        confirmed = {member for member, _ in confirmations}
        if self.own not in confirmed:
            require(not view.data, "data was sent in a view without a key")
            return None
        random = self.randomness[view.id]
        prints = {member: self.people[member].fingerprint for member in view.ids}
        where = self.descriptor.conference_id, self.descriptor.hash
        names = self.descriptor.module, self.descriptor.cipher, self.descriptor.post_quantum
        require(names[0] in AGREE, f"recordings under {names[0]} are not known here")
        hybrid = names[2] == "hybrid"
        both = {member: _split(each) if hybrid else (each, b"") for member, each in attachments.items()}
        session = schedule.sid(*where, view.id, prints, digest, *names)
        classical = {member: each[0] for member, each in both.items()}
        agreed = View(names[0], view.epoch, session, view.ids, classical, messages, unicasts)
        outcome = self._agreed(agreed, random["module"])
        invitation = schedule.invitation_key(self.descriptor.room_key, self.descriptor.hash)
        key, transcript = schedule.epoch_key(invitation, outcome.secret, outcome.transcript, session), outcome.transcript
        if hybrid:
            session = schedule.post_quantum_sid(*where, view.id, digest, *names[1:])
            shown = {member: each[1] for member, each in both.items()}
            agreed = View("ml-kem", view.epoch, session, view.ids, shown, post_quantum)
            outcome = self._agreed(agreed, random["postQuantum"])
            transcript = schedule.hybrid_transcript(transcript, outcome.transcript)
            key = schedule.hybrid_epoch_key(key, outcome.secret, session, transcript)
        confirming = schedule.confirmation_key(key)
        for member, tag in confirmations:
            expected = schedule.confirmation(confirming, member, transcript)
            require(tag == expected, f"the confirmation of {self.people[member].name} is not of this key")
        require(not view.data or len(confirmed) == len(view.ids), "data was sent before all members had confirmed")
        return {"epoch": key, "confirmed": confirmed}

    def _agreed(self, agreed, random):
        share, own = bytes.fromhex(random["share"]), agreed.decoded[self.own]
        has_share = agreed.module not in ("gdh", "ml-kem")
        require(not has_share or element(scalar_of(share)) == own.share, "this member attached another share than it drew")
        state = self.outcomes.get(own.standing)
        outcome = AGREE[agreed.module](agreed, self.own, share, state and state.state, bytes.fromhex(random["random"]))
        self.outcomes[outcome.epoch_id + outcome.state_hash] = outcome
        return outcome

    def _agreement_frames(self, view):
        """Messages of the module and of the post-quantum agreement in each sender's order, and confirmations."""
        messages, unicasts, post_quantum, confirmations = [], [], [], []
        for frame in sorted(view.agreement, key=lambda each: each.sequence):
            body = frame.content["body"]
            tag, content = body[:1], body[1:]
            if tag == b"\2":
                unicasts.append((frame.origin, content[:16], content[16:]))
                continue
            lists = {b"\0": messages, b"\1": confirmations, b"\3": post_quantum}
            require(tag in lists, "an agreement frame has an unknown body")
            lists[tag].append((frame.origin, content))
        return messages, unicasts, post_quantum, confirmations

    def _texts(self, view, keys):
        order = self._order(view)
        by_digest = {frame.digest: frame for frame in view.data}
        agreed = [frame for frame in view.data if frame.service in ("agreed", "safe")]
        require({frame.digest for frame in agreed} <= {digest for _, _, digest in order}, "a message has no place in the ORDER")
        texts, counted = [], {member: 0 for member in view.ids}
        for place, (sender, sequence, digest) in enumerate(order):
            frame = by_digest.get(digest)
            require(frame is not None, f"the ORDER's place {place + 1} names a frame that is not there")
            require((view.ids[sender], sequence) == (frame.origin, frame.sequence), "an ORDER entry names another sender")
            require(counted[frame.origin] < sequence, "the ORDER reverses one sender's messages")
            counted[frame.origin] = sequence
            texts += self._said(view, keys, frame)
        for frame in view.data:
            self._opened(view, keys, frame)
        return texts

    def _order(self, view):
        sequencer, entries = schedule.sequencer(view.id, view.ids), []
        for frame in sorted(view.orders, key=lambda each: each.content["first"]):
            require(frame.origin == sequencer, "an ORDER is not of the view's sequencer")
            first = frame.content["first"]
            require(first <= len(entries), "entries of the ORDER are missing")
            known = entries[first:]
            require(known == frame.content["entries"][: len(known)], "two ORDERs contradict each other")
            entries = entries[:first] + frame.content["entries"]
        return entries

    def _opened(self, view, keys, frame):
        incarnation = dict(view.members)[frame.origin]
        key = schedule.sender_key(keys["epoch"], view.id, frame.origin, incarnation)
        number = batches.batch_number(frame.service, frame.sequence)
        place = [self.descriptor.conference_id, view.id, view.epoch, frame.origin, incarnation, frame.service]
        associated, body = batches.associated_data(*place, number), frame.content["body"]
        plaintext = batches.open_batch(self.descriptor.cipher, key, body, associated, number)
        return batches.decode_batch(plaintext)

    def _said(self, view, keys, frame):
        said = []
        for channel, kind, _, payload in self._opened(view, keys, frame):
            if kind != LOG_ITEM:
                continue
            item = batches.read_log_item(payload, self.descriptor.conference_id, self.key_of.__getitem__)
            fingerprint, named, _, text = item
            author = self.people[frame.origin]
            require(fingerprint == author.fingerprint, "an item of the log is not of the frame's sender")
            require(named == channel, "an item of the log is of another channel")
            said.append((author.name, text.decode()))
        return said


def _split(attachment):
    """The parts of the module and of the post-quantum agreement."""
    reader = Reader(attachment, "an attachment")
    return reader.sized(4), reader.rest()


def check_recording(path):
    """Lines that say what was verified. Raises Invalid."""
    return Replay(json.loads(path.read_text())).run()
