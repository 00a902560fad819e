"""DER (X.690), as far as certificates need it. Every other form of a value is refused."""

from dataclasses import dataclass

from encoding import require

BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, OBJECT_IDENTIFIER = 1, 2, 3, 4, 6
SEQUENCE, SET = 0x30, 0x31


@dataclass(frozen=True)
class Value:
    tag: int
    content: bytes
    whole: bytes

    def of(self, tag):
        require(self.tag == tag, f"a value of DER has the tag {self.tag} and not {tag}")
        return self

    def parts(self, tag=SEQUENCE):
        """The values inside."""
        return values(self.of(tag).content)

    def number(self):
        data = self.of(INTEGER).content
        require(data and not (data[0] == 0 and data[1:2] < b"\x80" and len(data) > 1), "an INTEGER is not minimal")
        require(not (data[0] == 0xFF and data[1:2] >= b"\x80"), "an INTEGER is not minimal")
        return int.from_bytes(data, "big", signed=True)

    def bits(self):
        """The bytes of a BIT STRING of whole bytes."""
        require(self.of(BIT_STRING).content[:1] == b"\0", "a BIT STRING has unused bits")
        return self.content[1:]


def values(data):
    found = []
    while data:
        require(len(data) > 1, "a value of DER is too short")
        count = data[1] - 0x80 if data[1] >= 0x80 else 0
        require(data[1] != 0x80 and count <= 2 and len(data) >= 2 + count, "a value of DER has an invalid length")
        length = int.from_bytes(data[2 : 2 + count], "big") if count else data[1]
        require(not count or length >= (0x80 if count == 1 else 0x100), "a length is not in its shortest form")
        end = 2 + count + length
        require(end <= len(data), "a value of DER is too short")
        found.append(Value(data[0], data[2 + count : end], data[:end]))
        data = data[end:]
    return found


def only_value(data):
    found = values(data)
    require(len(found) == 1, "there is not exactly one value of DER")
    return found[0]


def encode(tag, *parts):
    content = b"".join(parts)
    length = len(content)
    head = bytes([length]) if length < 0x80 else b"\x81" + bytes([length]) if length < 0x100 else b"\x82" + length.to_bytes(2, "big")
    return bytes([tag]) + head + content
