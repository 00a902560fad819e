import {
  confirmationKey,
  confirmationTag,
  conferenceCode,
  conferenceSid,
  epochKey,
  exportKey,
  hybridEpochKey,
  invitationKey,
  majoritySid,
  pairCode,
  senderKey,
} from "@keymoot/gke"
import { hexToBytes } from "@noble/hashes/utils.js"
import { computeViewId, digestOfMembers, sequencerIndex, voidViewId } from "../../../transport/src/view/view.ts"
import { deriveInvitationKeys, deriveRoomSecret } from "../../src/conference/invitation.ts"
import { digestOf } from "../../src/admission/statements/statement.ts"
import { hybridTranscript, postQuantumSid } from "../../src/secure-group/hybrid-keys.ts"
import { fixedBytes } from "./fixed-randomness.ts"
import type { Person } from "./people.ts"
import type { VectorFile } from "./vector-file.ts"

/** View ids, session ids and everything derived from an epoch's secret. */
export function keyFile(people: readonly Person[]): VectorFile {
  return {
    name: "key-schedule",
    about: "From an invitation and a view to the keys of an epoch",
    see: "Keys of a view",
    vectors: [
      ...[1, 2, 3].map((count) => scheduleOf(people.slice(0, count), count, "off")),
      ...[1, 3].map((count) => scheduleOf(people.slice(0, count), count, "hybrid")),
    ],
  }
}

function scheduleOf(people: readonly Person[], number: number, postQuantum: "off" | "hybrid") {
  const fixed = (name: string): Uint8Array => fixedBytes(`${name} ${number}`)
  const [roomKey, descriptorHash, invitationSecret] = [fixed("room key"), fixed("descriptor"), fixed("invitation")]
  const conferenceId = fixedBytes(`conference ${number}`, 16)
  const members = people.map(({ member: id }, i) => ({ id, incarnation: i + 1 })).sort((a, b) => (a.id < b.id ? -1 : 1))
  const proposal = { epoch: 10 + number, coordinator: members[0]!.id }
  const syncDigests = members.map(({ id }) => fixed(`SYNC of ${id}`))
  const viewId = computeViewId(proposal, members, syncDigests)
  const statementsDigest = hexToBytes(digestOf("keymoot v1 statements", []))
  const module = "tgdh"
  const cipher = "aes-256-gcm"
  const scope = { conferenceId, descriptorHash, viewId: hexToBytes(viewId), cipher, postQuantum }
  const named = people.map(({ member, fingerprint }) => ({ member, fingerprint }))
  const sid = conferenceSid({ ...scope, members: named, statementsHash: statementsDigest, module })
  const session = { epoch: proposal.epoch, viewId: hexToBytes(viewId) }
  const secret = fixed("secret")
  const agreed = fixed("transcript")
  const classical = epochKey({ invitation: invitationKey(roomKey, descriptorHash), secret, transcript: agreed, sid })
  const hybrid = postQuantum === "hybrid" ? hybridOf(classical, agreed, { ...scope, statementsDigest }, fixed) : null
  const { key, transcript } = hybrid ?? { key: classical, transcript: agreed }
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
      transcript: agreed,
      ...hybrid?.input,
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
      majoritySid: majoritySid({ ...scope, roster: named, statementsHash: statementsDigest, session }),
      ...hybrid?.output,
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

/** The keys of a view of a hybrid conference: from the module's result and a given one of the post-quantum agreement. */
function hybridOf(
  classical: Uint8Array,
  agreed: Uint8Array,
  scope: Parameters<typeof postQuantumSid>[0],
  fixed: (name: string) => Uint8Array,
) {
  const input = { postQuantumSecret: fixed("post-quantum secret"), postQuantumTranscript: fixed("its transcript") }
  const sid = postQuantumSid(scope)
  const transcript = hybridTranscript(agreed, input.postQuantumTranscript)
  const key = hybridEpochKey({ classical, postQuantum: input.postQuantumSecret, sid, transcript })
  const output = { classicalEpochKey: classical, postQuantumSid: sid, hybridTranscript: transcript }
  return { key, transcript, input, output }
}
