import {
  confirmationKey,
  confirmationTag,
  conferenceCode,
  conferenceSid,
  epochKey,
  exportKey,
  invitationKey,
  pairCode,
  senderKey,
} from "@keymoot/gke"
import { hexToBytes } from "@noble/hashes/utils.js"
import { computeViewId, digestOfMembers, sequencerIndex, voidViewId } from "../../../transport/src/view/view.ts"
import { deriveInvitationKeys, deriveRoomSecret } from "../../src/conference/invitation.ts"
import { digestOf } from "../../src/admission/statements/statement.ts"
import { fixedBytes } from "./fixed-randomness.ts"
import type { Person } from "./people.ts"
import type { VectorFile } from "./vector-file.ts"

/** View ids, session ids and everything derived from an epoch's secret. */
export function keyFile(people: readonly Person[]): VectorFile {
  return {
    name: "key-schedule",
    about: "From an invitation and a view to the keys of an epoch",
    see: "Keys of a view",
    vectors: [1, 2, 3].map((count) => scheduleOf(people.slice(0, count), count)),
  }
}

function scheduleOf(people: readonly Person[], number: number) {
  const fixed = (name: string): Uint8Array => fixedBytes(`${name} ${number}`)
  const [roomKey, descriptorHash, invitationSecret] = [fixed("room key"), fixed("descriptor"), fixed("invitation")]
  const conferenceId = fixedBytes(`conference ${number}`, 16)
  const members = people.map(({ member: id }, i) => ({ id, incarnation: i + 1 })).sort((a, b) => (a.id < b.id ? -1 : 1))
  const proposal = { epoch: 10 + number, coordinator: members[0]!.id }
  const syncDigests = members.map(({ id }) => fixed(`SYNC of ${id}`))
  const viewId = computeViewId(proposal, members, syncDigests)
  const statementsDigest = hexToBytes(digestOf("keymoot v1 statements", []))
  const module = "tgdh"
  const [cipher, postQuantum] = ["aes-256-gcm", "off"]
  const sid = conferenceSid({
    conferenceId,
    descriptorHash,
    viewId: hexToBytes(viewId),
    members: people.map(({ member, fingerprint }) => ({ member, fingerprint })),
    statementsHash: statementsDigest,
    module,
    cipher,
    postQuantum,
  })
  const [secret, transcript] = [fixed("secret"), fixed("transcript")]
  const key = epochKey({ invitation: invitationKey(roomKey, descriptorHash), secret, transcript, sid })
  const view = { viewId: hexToBytes(viewId), epochKey: key }
  const confirming = confirmationKey(key)
  return {
    input: {
      roomKey,
      invitationSecret: invitationSecret.subarray(0, 16),
      descriptorHash,
      conferenceId,
      proposal,
      members: members.map((member) => ({
        ...member,
        fingerprint: people.find((person) => person.member === member.id)!.fingerprint,
      })),
      syncDigests,
      statementsDigest,
      module,
      cipher,
      postQuantum,
      secret,
      transcript,
    },
    output: {
      invitationKeys: deriveInvitationKeys(invitationSecret.subarray(0, 16), descriptorHash),
      roomProofSeed: deriveRoomSecret(roomKey),
      invitationKey: invitationKey(roomKey, descriptorHash),
      membersDigest: digestOfMembers(members),
      voidViewId: voidViewId(members[0]!),
      viewId,
      sequencer: members[sequencerIndex({ id: viewId, members })]!.id,
      sid,
      epochKey: key,
      confirmationKey: confirming,
      members: members.map(({ id, incarnation }) => ({
        id,
        senderKey: senderKey({ ...view, member: id, incarnation }),
        confirmation: confirmationTag(confirming, id, transcript),
      })),
      groupTagKey: exportKey(key, "keymoot v1 group tag", view.viewId, 64),
      conferenceCode: conferenceCode(
        descriptorHash,
        people.map(({ fingerprint }) => fingerprint),
      ),
      pairCode: people.length < 2 ? null : pairCode(people[0]!.publicKey, people[1]!.publicKey),
    },
  }
}
