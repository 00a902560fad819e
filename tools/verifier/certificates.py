"""Section "Certificates": those that members sign themselves, and those that an authority issued."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime, timezone

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import der
from encoding import Invalid, domain, require, sha256
from primitives import is_strict, is_strict_point

BYTES_MAX = 4096
RSA_BITS_MIN = 2048
UNCOMPRESSED = 4
ED25519 = bytes.fromhex("300506032b6570")
RSA = bytes.fromhex("06092a864886f70d010101")
EC_KEY = bytes.fromhex("06072a8648ce3d0201")
COMMON_NAME, ORGANISATION = bytes.fromhex("0603550403"), bytes.fromhex("060355040a")
BASIC_CONSTRAINTS, KEY_USAGE = bytes.fromhex("0603551d13"), bytes.fromhex("0603551d0f")
PURPOSES, ALTERNATIVE_NAME = bytes.fromhex("0603551d25"), bytes.fromhex("0603551d11")
OWN_KEY_ID, ISSUERS_KEY_ID = bytes.fromhex("0603551d0e"), bytes.fromhex("0603551d23")
FOR_PEOPLE = {bytes.fromhex(each) for each in ("06082b06010505070302", "06082b06010505070304", "0604551d2500")}
HASHES = {256: hashes.SHA256(), 384: hashes.SHA384(), 512: hashes.SHA512()}
ALGORITHMS = {
    "06032b6570": ("ed25519", 0),
    "06082a8648ce3d040302": ("ecdsa", 256),
    "06082a8648ce3d040303": ("ecdsa", 384),
    "06082a8648ce3d040304": ("ecdsa", 512),
    "06092a864886f70d01010b": ("rsa", 256),
    "06092a864886f70d01010c": ("rsa", 384),
    "06092a864886f70d01010d": ("rsa", 512),
}
"""By the object identifier in DER. RSA-PSS is not known here."""
CURVES = {
    "06082a8648ce3d030107": (ec.SECP256R1(), 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551),
    "06052b81040022": (ec.SECP384R1(), 2**384 - 0x389CB27E0BC8D220A7E5F24DB74F58851313E695333AD68D),
    "06052b81040023": (ec.SECP521R1(), 2**521 - 0x5AE79787C40D069948033FEB708F65A2FC44A36477663B851449048E16EC79BF7),
}
"""Each with its order."""
TEXTS = {0x0C: "utf-8", 0x13: "ascii", 0x14: "latin-1", 0x16: "ascii", 0x1C: "utf-32-be", 0x1E: "utf-16-be"}
SIGNS, ISSUES = 0x80, 0x04
FORBIDDEN = (
    "0-1f 7f-9f ad 34f 61c 115f-1160 17b4-17b5 200b 200e-200f 2028-202e 2060-206f 2800 3164 d800-dfff e000-f8ff feff "
    "ffa0 fff0-ffff 13430-13442 16fe4 1bca0-1bca3 1d159 1d173-1d17a e0000-e0fff f0000-10ffff"
)
RANGES = [tuple(int(end, 16) for end in (each.split("-") * 2)[:2]) for each in FORBIDDEN.split()]
INVISIBLE = {0x200C, 0x200D, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)}


class Refused(Invalid):
    """`args[0]`: the reason, by its name in the document."""


def demand(condition, reason):
    if not condition:
        raise Refused(reason)


@dataclass(frozen=True)
class Certificate:
    signed: bytes
    algorithm: der.Value
    signature: bytes
    issuer: der.Value
    subject: der.Value
    not_before: int
    not_after: int
    key: der.Value
    extensions: list
    """(object identifier, whether critical, value)."""

    def extension(self, wanted):
        return next((value for type_, _, value in self.extensions if type_ == wanted), None)

    def names(self, wanted):
        attributes = [attribute.parts() for relative in self.subject.parts() for attribute in relative.parts(der.SET)]
        return [_text(value) for type_, value in attributes if type_.whole == wanted]

    @property
    def usage(self):
        """Bits of the key usage in its first byte."""
        value = self.extension(KEY_USAGE)
        return 0 if value is None else (der.only_value(value).of(der.BIT_STRING).content[1:] or b"\0")[0]

    @property
    def is_authority(self):
        value = self.extension(BASIC_CONSTRAINTS)
        parts = [] if value is None else der.only_value(value).parts()
        return bool(parts) and parts[0].tag == der.BOOLEAN and parts[0].content == b"\xff"

    @property
    def purposes(self):
        value = self.extension(PURPOSES)
        return None if value is None else {each.whole for each in der.only_value(value).parts()}

    def key_ids(self):
        """(of the own key, of the issuer's)."""
        own, issuers = self.extension(OWN_KEY_ID), self.extension(ISSUERS_KEY_ID)
        parts = [] if issuers is None else der.only_value(issuers).parts()
        return own and der.only_value(own).content, next((each.content for each in parts if each.tag == 0x80), None)

    @property
    def has_only_known(self):
        known = {BASIC_CONSTRAINTS, KEY_USAGE, PURPOSES, ALTERNATIVE_NAME}
        return all(type_ in known for type_, critical, _ in self.extensions if critical)

    @property
    def is_unique(self):
        types = [type_ for type_, _, _ in self.extensions]
        return len(types) == len(set(types))


def _text(value):
    require(value.tag in TEXTS, "a name has a value of no string type")
    try:
        return value.content.decode(TEXTS[value.tag])
    except UnicodeDecodeError:
        raise Invalid("a name is not in its encoding") from None


def _time(value):
    """Milliseconds since 1970."""
    require(value.tag in (0x17, 0x18), "a time has another type")
    try:
        text = value.content.decode("ascii")
        century = "" if value.tag == 0x18 else "20" if text < "50" else "19"
        read = datetime.strptime(century + text, "%Y%m%d%H%M%SZ")
    except ValueError:
        raise Invalid("a time has another form") from None
    return int(read.replace(tzinfo=timezone.utc).timestamp()) * 1000


def _extension(value):
    type_, *critical, data = value.parts()
    require(len(critical) < 2 and all(each.tag == der.BOOLEAN for each in critical), "an extension has another form")
    return type_.whole, [each.content for each in critical] == [b"\xff"], data.of(der.OCTET_STRING).content


def parse(data):
    """Raises Refused for any other form than DER."""
    try:
        require(0 < len(data) <= BYTES_MAX, "a certificate has another length")
        signed, algorithm, signature = _count(der.only_value(data).parts(), 3)
        version, _serial, inner, issuer, validity, subject, key, *rest = signed.parts()
        version.of(0xA0), inner.of(der.SEQUENCE)
        require(inner.whole == algorithm.whole, "the algorithm outside is another one than inside")
        not_before, not_after = map(_time, _count(validity.parts(), 2))
        extensions = [] if not rest else [_extension(each) for each in der.only_value(rest[-1].of(0xA3).content).parts()]
        made = Certificate(
            signed.whole, algorithm, signature.bits(), issuer, subject, not_before, not_after, key, extensions
        )
        made.names(COMMON_NAME), made.usage, made.is_authority, made.purposes, made.key_ids()
        for name in issuer, subject:
            for relative in name.parts():
                for attribute in relative.parts(der.SET):
                    _text(_count(attribute.parts(), 2)[1])
        return made
    except (Invalid, ValueError):
        raise Refused("malformed") from None


def _count(found, count):
    require(len(found) == count, "a value of DER has another number of parts")
    return found


def _algorithm(certificate):
    """(kind, bits of the hash). Raises Refused for a weak or unknown one."""
    found = ALGORITHMS.get(certificate.algorithm.parts()[0].whole.hex())
    demand(found, "weak-signature")
    algorithm, bits = certificate.key.parts()
    if algorithm.parts()[0].whole == RSA:
        demand(der.only_value(bits.bits()).parts()[0].number().bit_length() > RSA_BITS_MIN - 8, "weak-signature")
    return found


def _is_signed_by(certificate, issuer):
    kind, bits = _algorithm(certificate)
    algorithm, key = issuer.key.parts()
    key = key.bits()
    try:
        if kind == "ed25519":
            require(algorithm.whole == ED25519 and len(key) == 32 and len(certificate.signature) == 64, "another key")
            require(is_strict(key, certificate.signature), "not strict")
            Ed25519PublicKey.from_public_bytes(key).verify(certificate.signature, certificate.signed)
        elif kind == "ecdsa":
            type_, parameters = algorithm.parts()
            require(type_.whole == EC_KEY and parameters.whole.hex() in CURVES, "another key")
            require(key[0] == UNCOMPRESSED, "a compressed point")
            curve, order = CURVES[parameters.whole.hex()]
            r, s = (each.number() for each in _count(der.only_value(certificate.signature).parts(), 2))
            require(0 < r < order and 0 < s < order, "out of range")
            public = ec.EllipticCurvePublicKey.from_encoded_point(curve, key)
            public.verify(utils.encode_dss_signature(r, s), certificate.signed, ec.ECDSA(HASHES[bits]))
        else:
            require(algorithm.parts()[0].whole == RSA, "another key")
            modulus, exponent = (each.number() for each in der.only_value(key).parts())
            public = rsa.RSAPublicNumbers(exponent, modulus).public_key()
            public.verify(certificate.signature, certificate.signed, padding.PKCS1v15(), HASHES[bits])
    except (Invalid, InvalidSignature, ValueError):
        return False
    return True


def _is_forbidden(character):
    return any(first <= ord(character) <= last for first, last in RANGES)


def is_valid_name(name):
    if name != unicodedata.normalize("NFC", name).strip() or not 0 < len(name) <= 60:
        return False
    blank = all(ord(each) in INVISIBLE or each.isspace() for each in name)
    return not blank and not any(map(_is_forbidden, name))


def check_time(certificate, now):
    demand(now >= certificate.not_before, "not-yet-valid")
    demand(now < certificate.not_after, "expired")


def read_authority(data):
    root = parse(data)
    _algorithm(root)
    issues = root.is_unique and root.is_authority and root.usage & ISSUES and root.has_only_known
    demand(issues and root.issuer.whole == root.subject.whole, "not-an-authority")
    demand(_is_signed_by(root, root), "bad-signature")
    names = root.names(COMMON_NAME) + root.names(ORGANISATION)
    demand(names and is_valid_name(names[0]), "bad-name")
    return root


def ed25519_key(certificate):
    """None for a key of another kind."""
    algorithm, key = certificate.key.parts()
    return key.bits() if algorithm.whole == ED25519 and len(key.content) == 33 else None


def read_issued(data, root):
    """(member id, name, public key) of a certificate of this authority. Does not check the time."""
    issued = parse(data)
    _algorithm(issued)
    own, wanted = root.key_ids()[0], issued.key_ids()[1]
    same = own is None or wanted is None or own == wanted
    demand(same and issued.issuer.whole == root.subject.whole, "wrong-authority")
    demand(_is_signed_by(issued, root), "bad-signature")
    signs = issued.is_unique and issued.usage & SIGNS and not issued.usage & ISSUES and not issued.is_authority
    demand(signs and issued.has_only_known, "wrong-usage")
    demand(issued.purposes is None or issued.purposes & FOR_PEOPLE, "wrong-usage")
    key, names = ed25519_key(issued), issued.names(COMMON_NAME)
    demand(key is not None and is_strict_point(key), "bad-key")
    demand(len(names) == 1 and is_valid_name(names[0]), "bad-name")
    return sha256(domain("keymoot v1 member key", key))[:16], names[0], key
