"""Section "Evidence archive": what an archive says, or the part of it that fails."""

import batches
import conference
from encoding import Invalid, Reader, domain, require, sha256
from primitives import verify
from self_signed import read_self_signed

NONE = bytes(32)


class Fault(Exception):
    """`args`: the part, and its number from 1 or None."""


def _check(work, *fault):
    try:
        return work()
    except (Invalid, ValueError):
        raise Fault(*fault) from None


def _decode(data):
    reader = Reader(data[:-64], "an archive")
    require(reader.bytes(16) == b"keymoot evidence", "an archive has another name")
    reader.expect(1, "version")
    read = {"descriptor": reader.sized(2), "blobKey": reader.bytes(32)}
    read["certificates"] = reader.list(lambda each: each.sized(2))
    read["items"] = reader.list(_item)
    read["documents"] = reader.list(lambda each: {"name": each.sized(1).decode(), "text": each.sized(4).decode()})
    read |= {"exportedAtMs": reader.number(8), "exporter": reader.sized(2)}
    reader.end()
    return read


def _item(reader):
    head = reader.bytes(16 + 32 + 32)
    channel = reader.sized(1)
    clock = reader.bytes(8)
    payload = reader.sized(4)
    signed = head + bytes([len(channel)]) + channel + clock + len(payload).to_bytes(4, "big") + payload
    data = signed + reader.bytes(64)
    reader.bytes(8 + 32 + 8)
    passed_on = reader.number(1)
    require(passed_on in (0, 1), "an item has an unknown mark")
    return data, passed_on == 1


def _person(data, start, now, roster):
    """Of a certificate that was valid at some time from `start` to `now`."""
    read, name, key = read_self_signed(data)
    require(read.not_before <= now and min(start, now) < read.not_after, "a certificate was not valid")
    fingerprint = sha256(data)
    require(not roster or fingerprint in roster, "a certificate is of nobody in the roster")
    return fingerprint, (read, name, key)


def verified(data):
    """What the archive says. Raises Fault."""
    read = _check(lambda: _decode(data), "format", None)
    sealed = _check(lambda: conference.read_descriptor(read["descriptor"]), "conference", None)
    title, creator, others = _check(lambda: sealed.open_blob(read["blobKey"]), "conference", None)
    id_, now = conference.conference_id(conference.descriptor_hash(read["descriptor"])), read["exportedAtMs"]
    roster = sealed.roster if sealed.admission == "roster" else []
    authors = {}
    for place, certificate in enumerate(read["certificates"], 1):
        print_, person = _check(lambda: _person(certificate, sealed.start, now, roster), "certificate", place)
        if print_ in authors:
            raise Fault("certificate", place)
        authors[print_] = person
    messages = _messages(read["items"], id_, authors, now)
    _, (_, exporter, key) = _check(lambda: _person(read["exporter"], now, now, roster), "exporter", None)
    signed = domain("keymoot v1 evidence", sha256(data[:-64]))
    _check(lambda: verify(key, data[-64:], signed, "an archive"), "exporter", None)
    said = {"id": id_.hex(), "title": title, "messages": messages, "documents": read["documents"]}
    return {**said, "exporter": exporter, "exportedAtMs": now}


def _messages(items, id_, authors, now):
    places, opened = {}, []
    for place, (data, _) in enumerate(items):
        if data[16:48] not in authors:
            raise Fault("message", place + 1)
        key_of = {print_: person[2] for print_, person in authors.items()}.get
        opened.append(_check(lambda: batches.read_log_item(data, id_, key_of), "message", place + 1))
        if sha256(domain("keymoot v1 log item hash", data)) in places:
            raise Fault("message", place + 1)
        places[sha256(domain("keymoot v1 log item hash", data))] = place
    for place, author in enumerate(authors, 1):
        if all(author != fingerprint for fingerprint, *_ in opened):
            raise Fault("certificate", place)
    said, times = [], []
    for place, ((data, passed_on), (author, channel, clock, payload)) in enumerate(zip(items, opened)):
        after = "none" if data[48:80] == NONE else places.get(data[48:80])
        if isinstance(after, int) and after >= place:
            raise Fault("order", place + 1)
        times.append(min(now, max(clock, times[after] if isinstance(after, int) else 0)))
        certificate, name, _ = authors[author]
        certified = certificate.not_before <= times[-1] < certificate.not_after
        what = {"author": name, "channel": channel, "data": payload.hex(), "sentAtMs": clock}
        said.append({**what, "passedOn": passed_on, "after": after, "certified": certified})
    return said
