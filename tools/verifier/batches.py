"""Section "Batch", and the items of a log."""

from encoding import Reader, domain, number, require
from primitives import open_data, verify

SERVICES = {"unreliable": 1, "reliable": 2, "fifo": 3, "causal": 4, "agreed": 5, "safe": 6}
SIZES = (256, 1024, 2048)
UNRELIABLE_FIRST = 2**32


def batch_number(service, sequence):
    return sequence + (UNRELIABLE_FIRST if service == "unreliable" else 0)


def associated_data(conference, view, epoch, sender, incarnation, service, number_):
    place = conference + view + number(epoch, 8) + sender + number(incarnation, 8)
    return domain("keymoot v1 batch", place, number(SERVICES[service], 1), number(number_, 8))


def open_batch(cipher, key, body, associated, number_):
    """The plaintext."""
    nonce = (int.from_bytes(body[:12], "big") ^ number_).to_bytes(12, "big")
    return open_data(cipher, key, nonce, body[12:], associated, "a batch")


def decode_batch(data):
    """(channel, kind, sender's clock, payload) of each message."""
    require(len(data) in SIZES or (len(data) % 4096 == 0 and len(data) <= 256 * 1024), "a batch has another size")
    reader = Reader(data, "a batch")
    reader.expect(1, "version")
    heads, before = [], (None, None, None)
    for _ in range(reader.number(2)):
        word = reader.number(4)
        channel, kind, clock = before
        if word & 0x80000000:
            channel, kind = reader.sized(1).decode(), reader.number(1)
            require((channel, kind) != before[:2], "a batch repeats a channel")
        if word & 0x40000000:
            clock = reader.number(8)
            require(clock != before[2], "a batch repeats a time")
        require(channel is not None and clock is not None, "a batch's first message lacks a channel or a time")
        before = (channel, kind, clock)
        heads.append((*before, word & 0x3FFFFFFF))
    require(heads, "a batch is empty")
    messages = [(*head[:3], reader.bytes(head[3])) for head in heads]
    require(not any(reader.rest()), "a batch is not filled up with zeros")
    return messages


def read_log_item(data, conference, public_key_of):
    """(author's fingerprint, channel, clock, payload). `public_key_of`: by fingerprint."""
    reader = Reader(data, "an item of the log")
    reader.bytes(16)
    fingerprint, _after, channel = reader.bytes(32), reader.bytes(32), reader.sized(1).decode()
    clock, payload = reader.number(8), reader.sized(4)
    signature = reader.bytes(64)
    reader.end()
    signed = domain("keymoot v1 log item", conference, data[:-64])
    verify(public_key_of(fingerprint), signature, signed, "an item of the log")
    return fingerprint, channel, clock, payload


def read_chunk(data):
    """(transfer, index, count, content)."""
    reader = Reader(data, "a chunk")
    reader.expect(1, "version")
    return reader.bytes(16), reader.number(2), reader.number(2), reader.rest()
