"""Checks every file of docs/protocol/vectors: recomputes each output from the inputs."""

import base64
import json
from pathlib import Path

import batches
import conference
import links
from algorithms import ml_kem
import schedule
from agreements.agreement_vectors import check_agreements
from encoding import Invalid, hkdf, require, sha256
from outside_vectors import check_door, check_media
from primitives import diffie_hellman, public_key
from values import expect, in_bytes
from verdicts import check_archive, check_certificate, check_ed25519, check_x25519


def check_identity(person):
    given = in_bytes(person)
    read = conference.read_certificate(given["certificate"])
    expect(public_key(given["seed"]), given["publicKey"], "the public key")
    for name, value in (("publicKey", read.public_key), ("fingerprint", read.fingerprint), ("member", read.member)):
        expect(value, given[name], name)
    expect(read.name, person["name"], "the name")


def check_schedule(vector):
    given, out = in_bytes(vector["input"]), in_bytes(vector["output"])
    members = [(each["id"], each["incarnation"]) for each in given["members"]]
    prints = {each["id"]: each["fingerprint"] for each in given["members"]}
    for purpose in ("signal", "advertisement", "association"):
        key = hkdf(given["invitationSecret"], given["descriptorHash"], f"keymoot v1 invitation {purpose}")
        expect(key, out["invitationKeys"][purpose], f"the invitation's {purpose} key")
    expect(hkdf(given["roomKey"], b"", "keymoot v1 room admission"), out["roomProofSeed"], "the room proof's seed")
    invitation = schedule.invitation_key(given["roomKey"], given["descriptorHash"])
    expect(invitation, out["invitationKey"], "the invitation key")
    expect(schedule.members_digest(members), out["membersDigest"], "the digest of the members")
    expect(schedule.void_view_id(*members[0]), out["voidViewId"], "the view id before the first view")
    proposal = given["proposal"]
    view = schedule.view_id(proposal["epoch"], proposal["coordinator"], members, given["syncDigests"])
    expect(view, out["viewId"], "the view id")
    expect(schedule.sequencer(view, [member for member, _ in members]), out["sequencer"], "the sequencer")
    expect(conference.statements_digest([]), given["statementsDigest"], "the digest of no statements")
    names = given["module"], given["cipher"], given["postQuantum"]
    session = schedule.sid(given["conferenceId"], given["descriptorHash"], view, prints, given["statementsDigest"], *names)
    expect(session, out["sid"], "the sid")
    where, digest = (given["conferenceId"], given["descriptorHash"]), given["statementsDigest"]
    started = schedule.majority_sid(*where, proposal["epoch"], view, prints, digest, *names[1:])
    expect(started, out["majoritySid"], "the sid of majority")
    key, transcript = schedule.epoch_key(invitation, given["secret"], given["transcript"], session), given["transcript"]
    if given["postQuantum"] == "hybrid":
        expect(key, out["classicalEpochKey"], "the classical epoch key")
        session = schedule.post_quantum_sid(*where, view, digest, *names[1:])
        expect(session, out["postQuantumSid"], "the post-quantum sid")
        transcript = schedule.hybrid_transcript(transcript, given["postQuantumTranscript"])
        expect(transcript, out["hybridTranscript"], "the hybrid transcript")
        key = schedule.hybrid_epoch_key(key, given["postQuantumSecret"], session, transcript)
    expect(key, out["epochKey"], "the epoch key")
    confirming = schedule.confirmation_key(key)
    expect(confirming, out["confirmationKey"], "the confirmation key")
    for (member, incarnation), each in zip(members, out["members"]):
        expect(schedule.sender_key(key, view, member, incarnation), each["senderKey"], "a sender's key")
        expect(schedule.confirmation(confirming, member, transcript), each["confirmation"], "a confirmation")
    expect(schedule.exported_key(key, "keymoot v1 group tag", view, 64), out["groupTagKey"], "the key of group tags")


def check_association(vector):
    given, out = in_bytes(vector["input"]), in_bytes(vector["output"])
    scope, ends = links.Scope(given["conferenceId"], given["descriptorHash"]), given
    link_type, protocol = vector["input"]["linkType"], vector["input"]["protocol"]
    shared = diffie_hellman(ends["initiator"]["ephemeralSecret"], ends["responder"]["ephemeral"])
    expect(shared, out["sharedSecret"], "the shared secret")
    key, ciphertext, kem_secret = kem_of(out) if given["isHybrid"] else (b"", b"", b"")
    hash_ = links.transcript_hash(scope, link_type, given["attempt"], ends, protocol, key)
    expect(hash_, out["transcriptHash"], "the transcript's hash")
    hashes = {"initiator": hash_, "responder": links.full_hash(scope, hash_, ciphertext) if key else hash_}
    proof, hop = links.association_keys(kem_secret + shared, hashes["responder"])
    if key:
        expect(hashes["responder"], out["fullHash"], "the full hash")
        proof["initiator"] = links.association_keys(shared, hash_)[0]["initiator"]
    expect(proof, out["proofKeys"], "a proof key")
    expect(hop, out["hopKeys"], "a hop key")
    for role in ("initiator", "responder"):
        opening, proving, confirming = [m["bytes"] for m, n in zip(out["messages"], vector["output"]["messages"]) if n["from"] == role]
        links.check_open(opening, role, link_type, protocol, ends[role], key)
        links.check_proof(proving, role, scope, hashes[role], proof[role], given["keys"], ends[role], ciphertext)
        require(links.open_hop_frame(hop, role, confirming, 0) == ("reliable", links.CONFIRMED), "no CONFIRM")
    for described, shown in zip(out["frames"], vector["output"]["frames"]):
        opened = links.open_hop_frame(hop, shown["from"], described["frame"], described["sequence"])
        expect(opened, (shown["lane"], described["plaintext"]), "a hop frame's plaintext")
    rekey = in_bytes(vector["rekey"])
    again = diffie_hellman(rekey["ephemeralSecrets"]["initiator"], rekey["ephemerals"]["responder"])
    expect(again, rekey["sharedSecret"], "the shared secret of the rekey")
    key, ciphertext, kem_secret = kem_of(rekey) if given["isHybrid"] else (b"", b"", b"")
    next_keys = links.next_hop_keys(kem_secret + again, hop["associationId"], rekey["ephemerals"], key, ciphertext)
    expect(next_keys, rekey["hopKeys"], "a key of the rekey")


def kem_of(described):
    """The encapsulation key, the ciphertext and the secret."""
    seeds = described["kemSeeds"]
    key, own = ml_kem.key_pair(seeds["initiator"])
    expect(key, described["encapsulationKey"], "the encapsulation key")
    ciphertext, secret = ml_kem.encapsulate(key, seeds["responder"][:32])
    expect(ciphertext, described["ciphertext"], "the ciphertext")
    expect(secret, described["kemSecret"], "the secret of ML-KEM")
    expect(ml_kem.decapsulate(own, ciphertext), secret, "the decapsulated secret")
    return key, ciphertext, secret


def check_room(vector):
    given, out = in_bytes(vector["input"]), in_bytes(vector["output"])
    scope = links.Scope(given["conferenceId"], given["descriptorHash"])
    sender = given["sender"]
    own_key = public_key(sender["identitySeed"])
    for end in ("sender", "recipient"):
        given[end]["card"]["protocol"] = vector["input"][end]["card"]["protocol"]
    card = links.encode_card(sender["card"])
    expect(card, out["card"], "the card")
    opened = links.open_advertisement(out["advertisement"], given["keys"]["advertisement"], scope, own_key)
    expect(opened, card, "the card of the advertisement")
    signal = links.open_signal(out["signal"], scope, given["keys"]["signal"], given["recipient"], own_key)
    expect(signal, (sender["member"], out["signalBody"]), "the signal")
    expect(out["signalBody"], b"\1" + card, "the hello")


def check_descriptor(vector):
    given, out = in_bytes(vector["input"]), in_bytes(vector["output"])
    read = conference.open_descriptor(out["descriptor"], out["linkSecret"], out["descriptorHash"])
    names = vector["input"]["keyAgreement"], vector["input"]["cipher"]
    expect((read.module, read.cipher), names, "the modules")
    expect(read.conference_id, out["conferenceId"], "the conference id")
    expect(read.creator, conference.read_certificate(given["creator"]), "the creator")
    expect(read.others, [conference.read_certificate(each) for each in given["others"]], "the roster")
    expect(public_key(hkdf(read.room_key, b"", "keymoot v1 room admission")), out["verifier"], "the verifier")


STATEMENTS = {"role", "removal", "generation", "ticket", "end"}


def check_statements(vector):
    given = in_bytes(vector)
    where = given["conferenceId"], given["descriptorHash"]
    read = [conference.read_statement(each["bytes"], *where) for each in given["statements"]]
    hashes = [hash_ for hash_, _ in read]
    expect(hashes, [each["id"] for each in given["statements"]], "a statement's hash")
    for (_, fields), each in zip(read, given["statements"]):
        for name, value in fields.items():
            expect(value, each[name], f"the {name} of a statement")
    bodies = [fields["body"] for _, fields in read]
    require({body["type"] for body in bodies} == STATEMENTS, "a kind of statement is not there")
    removed = [body["subject"] for body in bodies if body["type"] == "removal"]
    made = next(body for body in bodies if body["type"] == "generation")
    expect(conference.removals_digest(removed), made["removals"], "the digest of removals")
    expect(conference.commitment(given["generationSecret"], where[1]), made["commitment"], "the commitment")
    digest = conference.statements_digest(hashes)
    expect(digest, given["digest"], "the digest of all statements")
    conference.check_vouch(given["vouch"], *where, digest)


def check_file(vector):
    given, out = in_bytes(vector["input"]), in_bytes(vector["output"])
    blocks = [sha256(f"keymoot vectors: file {i}".encode()) for i in range(given["blocks"])]
    content, size = b"".join(blocks), given["sizeBytes"]
    chunks = [content[at : at + conference.FILE_CHUNK] for at in range(0, size, conference.FILE_CHUNK)]
    sealed = [conference.sealed_chunk(given["key"], given["conferenceId"], i, each) for i, each in enumerate(chunks)]
    hashes = b"".join(sha256(each) for each in sealed)
    expect(hashes, out["hashes"], "the list of hashes")
    expect(sealed[-1], out["lastChunk"], "the last chunk")
    expect(conference.file_root(size, hashes), given["root"], "the root")
    ticket = conference.ticket_bytes(given["key"], given["root"], size, vector["input"]["name"], vector["input"]["type"])
    text = "keymoot-file:" + base64.urlsafe_b64encode(ticket).rstrip(b"=").decode()
    expect(text, vector["output"]["ticket"], "the ticket")
    expect(conference.file_id(given["conferenceId"], given["owner"], ticket), out["id"], "the file's id")


def check_content(vector):
    if "logItem" in vector:
        given = in_bytes(vector["logItem"])
        author = conference.read_certificate(given["certificate"])
        read = batches.read_log_item(given["bytes"], given["conferenceId"], {author.fingerprint: author.public_key}.get)
        item = vector["logItem"]
        expect(read, (author.fingerprint, item["channel"], item["sentAtMs"], given["payload"]), "the log item")
    elif "batch" in vector:
        given, shown = in_bytes(vector["batch"]), vector["batch"]
        place = [given["conferenceId"], given["viewId"], given["epoch"], given["sender"], given["incarnation"]]
        associated = batches.associated_data(*place, shown["service"], given["sequence"])
        expect(associated, given["associatedData"], "the associated data")
        plaintext = batches.open_batch(shown["cipher"], given["key"], given["body"], associated, given["sequence"])
        expect(plaintext, given["plaintext"], "the plaintext")
        names = [(each["channel"], each["kind"], each["sentAtMs"]) for each in shown["messages"]]
        messages = batches.decode_batch(plaintext)
        expect([message[:3] for message in messages], names, "a message")
        expect([message[3] for message in messages], [bytes.fromhex(each["payload"]) for each in shown["messages"]], "a payload")
    else:
        given = in_bytes(vector["chunks"])
        expect([batches.read_chunk(each) for each in given["bytes"]], [(given["transfer"], 0, 1, given["content"])], "a chunk")


CHECKS = {
    "identity": check_identity,
    "key-schedule": check_schedule,
    "association": check_association,
    "room": check_room,
    "descriptor": check_descriptor,
    "statements": check_statements,
    "files": check_file,
    "content": check_content,
    "certificates": check_certificate,
    "archive": check_archive,
    "door": check_door,
    "media": check_media,
    "ed25519": check_ed25519,
    "x25519": check_x25519,
}


def check_file_of_vectors(path):
    vectors = json.loads(path.read_text())["vectors"]
    name = path.stem
    if name.startswith("key-agreement-"):
        check_agreements(name.removeprefix("key-agreement-"), vectors)
        return len(vectors)
    require(name in CHECKS, "nothing is known about this file")
    for place, vector in enumerate(vectors):
        try:
            CHECKS[name](vector)
        except Invalid as error:
            raise Invalid(f"vector {place + 1}: {error}") from None
    return len(vectors)


def check_folder(folder):
    """Prints a line for each file. Returns how many do not verify."""
    failures = 0
    for path in sorted(Path(folder).glob("*.json")):
        try:
            print(f"{path.name}: {check_file_of_vectors(path)} vectors verify")
        except Invalid as error:
            failures += 1
            print(f"{path.name}: does not verify: {error}")
    return failures
