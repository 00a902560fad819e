"""ristretto255 after RFC 9496, in plain integers. Slow and not in constant time: for verification only."""

from encoding import Invalid

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)


def _is_negative(value):
    return value % P % 2 == 1


def _absolute(value):
    return -value % P if _is_negative(value) else value % P


def _sqrt_ratio(u, v):
    """RFC 9496, section 4.2: (whether u/v is a square, its root or that of SQRT_M1·u/v)."""
    root = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * root * root % P
    correct, flipped = check == u % P, check == -u % P
    flipped_i = check == -u * SQRT_M1 % P
    if flipped or flipped_i:
        root = root * SQRT_M1 % P
    return correct or flipped, _absolute(root)


INVSQRT_A_MINUS_D = _sqrt_ratio(1, (-1 - D) % P)[1]


class NotAnElement(Invalid):
    """Bytes that are no canonical encoding of an element."""


class Point:
    """An element in extended coordinates."""

    def __init__(self, x, y, z, t):
        self.x, self.y, self.z, self.t = x % P, y % P, z % P, t % P

    def __add__(self, other):
        a = (self.y - self.x) * (other.y - other.x)
        b = (self.y + self.x) * (other.y + other.x)
        c = 2 * D * self.t * other.t
        d = 2 * self.z * other.z
        e, f, g, h = b - a, d - c, d + c, b + a
        return Point(e * f, g * h, f * g, e * h)

    def __neg__(self):
        return Point(-self.x, self.y, self.z, -self.t)

    def __mul__(self, scalar):
        result, power, rest = IDENTITY, self, scalar % ORDER
        while rest:
            if rest & 1:
                result += power
            power += power
            rest >>= 1
        return result

    def encode(self):
        u1 = (self.z + self.y) * (self.z - self.y) % P
        u2 = self.x * self.y % P
        inverse = _sqrt_ratio(1, u1 * u2 * u2 % P)[1]
        den1, den2 = inverse * u1 % P, inverse * u2 % P
        z_inverse = den1 * den2 * self.t % P
        if _is_negative(self.t * z_inverse):
            x, y = self.y * SQRT_M1 % P, self.x * SQRT_M1 % P
            den = den1 * INVSQRT_A_MINUS_D % P
        else:
            x, y, den = self.x, self.y, den2
        if _is_negative(x * z_inverse):
            y = -y % P
        return _absolute(den * (self.z - y)).to_bytes(32, "little")


IDENTITY = Point(0, 1, 1, 0)


def decode(data, identity_allowed=False):
    """The element of these 32 bytes. Raises NotAnElement."""
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or _is_negative(s):
        raise NotAnElement("no canonical field element")
    ss = s * s % P
    u1, u2 = (1 - ss) % P, (1 + ss) % P
    v = (-(D * u1 * u1) - u2 * u2) % P
    square, inverse = _sqrt_ratio(1, v * u2 * u2 % P)
    den_x = inverse * u2 % P
    x = _absolute(2 * s * den_x)
    y = u1 * inverse * den_x * v % P
    if not square or _is_negative(x * y) or y == 0:
        raise NotAnElement("no point of the group")
    if s == 0 and not identity_allowed:
        raise NotAnElement("the identity")
    return Point(x, y, 1, x * y)


BASE = decode(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))
