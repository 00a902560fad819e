"""Checks the vectors of the door and of the frames of a call."""

import door
from encoding import require
from primitives import public_of
from values import expect, in_bytes


def check_door(vector):
    given, scope = in_bytes(vector), bytes.fromhex(vector["conferenceId"] + vector["descriptorHash"])
    secrets = {"message": door.outside_secret(given["epochKey"], given["viewId"]), "answer": given["replySecret"]}
    expect(secrets["message"], given["outsideSecret"], "the secret of the epoch")
    keys = {direction: public_of(secret) for direction, secret in secrets.items()}
    expect(door.read_key_notice(given["keyNotice"]), keys["message"], "the key of the epoch")
    authors = {"message": given["guest"], "answer": given["host"]}
    for shown, message in zip(vector["messages"], given["messages"]):
        direction = shown["direction"]
        opened = door.open_notice(message["bytes"], direction, scope, secrets[direction], authors[direction])
        expected = keys[direction], message["plaintext"], shown["number"], keys["answer"], shown["text"]
        expect(opened, expected, "a message at the door")
        require(public_of(message["ephemeralSecret"]) in message["bytes"], "a message is sealed with another secret")


def check_media(vector):
    given = in_bytes(vector)
    secret = door.media_secret(given["epochKey"], given["viewId"])
    expect(secret, given["mediaSecret"], "the secret of the frames")
    for place, (shown, sender) in enumerate(zip(vector["senders"], given["senders"])):
        key_id = vector["epoch"] % 2**45 * 256 + place
        expect(shown["keyId"], key_id, "a key id")
        key, salt = door.frame_keys(secret, sender["member"], sender["incarnation"], key_id)
        expect((key, salt), (sender["key"], sender["salt"]), "a key of frames")
        for described, frame in zip(shown["frames"], sender["frames"]):
            opened = door.open_frame(frame["frame"], key, salt, described["source"])
            expect(opened, (key_id, described["counter"], frame["plaintext"]), "a frame of a call")
