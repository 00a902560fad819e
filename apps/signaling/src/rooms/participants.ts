import { randomBytes } from "node:crypto"
import {
  CHALLENGE_BYTES,
  CHALLENGE_LIFETIME_MS,
  possessionBytes,
  type Failure,
  type ProofPurpose,
  type Request,
} from "@keymoot/transport/signaling-protocol"
import { checkCertificate, type CheckedCertificate } from "../certificate.ts"
import { type Connection, type Handlers, refuse } from "../connection.ts"
import { positionOf, positionText } from "./cursor.ts"
import { participantCost, type StorageQuota, storedShare } from "../bounds/storage-quota.ts"
import type { ListedParticipant, Store } from "../store/store.ts"

type ParticipantRequest =
  | "participant:challenge"
  | "participant:add"
  | "participant:prove"
  | "participant:remove"
  | "participant:get"
  | "participant:list"

/**
 * The directory of participants: certificates, each published by the holder of its key.
 * @param origins under which clients reach this server
 */
export function participantHandlers(
  store: Store,
  mayStore: StorageQuota,
  origins: () => readonly string[],
  publishedMsMax: number,
): Pick<Handlers, ParticipantRequest> {
  const challenges = new Challenges()
  return {
    "participant:challenge": (connection) => ({ ok: true, challenge: challenges.issue(connection) }),

    "participant:add": async (connection, request) => {
      const checked = checkProof("participant:add", request, challenges.redeem(connection), origins())
      if ("ok" in checked) return checked
      if (!mayStore(connection, participantCost(request))) return storedShare
      const { fingerprint, identity, name, notBeforeMs, notAfterMs } = checked
      const id = hexOf(fingerprint)
      const nowMs = Date.now()
      const participant = {
        fingerprint: id,
        identity,
        name,
        certificate: request.certificate,
        notBeforeMs,
        // A self-signed certificate may be valid for thousands of years, and its row would stay for as long.
        expiresAtMs: Math.min(notAfterMs, nowMs + publishedMsMax),
      }
      const outcome = await store.addParticipant(participant, nowMs)
      if (outcome === "superseded")
        return refuse("superseded", "A later certificate of the same identity is published.")
      if (outcome === "full") return refuse("storage-full", "The server can store no more certificates now.")
      connection.data.proved = { fingerprint: id, notAfterMs }
      return { ok: true }
    },

    "participant:prove": (connection, request) => {
      const checked = checkProof("participant:prove", request, challenges.redeem(connection), origins())
      if ("ok" in checked) return checked
      connection.data.proved = { fingerprint: hexOf(checked.fingerprint), notAfterMs: checked.notAfterMs }
      return { ok: true }
    },

    "participant:remove": async (connection, request) => {
      const checked = checkProof("participant:remove", request, challenges.redeem(connection), origins())
      if ("ok" in checked) return checked
      await store.removeParticipant(checked.identity)
      return { ok: true }
    },

    "participant:get": async (_connection, { fingerprint }) => {
      const certificate = await store.findCertificate(fingerprint, Date.now())
      if (certificate === undefined) return refuse("unknown-participant", "The server knows no such participant.")
      return { ok: true, certificate }
    },

    "participant:list": async (_connection, { prefix, after }) => {
      const position = after === undefined ? undefined : positionOf(after, PARTICIPANT_POSITION)
      if (position === null) return badCursor
      const from: ListedParticipant | undefined = position && { fingerprint: position[0], name: position[1] }
      const { entries, more } = await store.listParticipants(prefix, Date.now(), from)
      const last = more ? entries.at(-1) : undefined
      return {
        ok: true,
        entries: [...entries],
        ...(last === undefined ? {} : { next: positionText(last.fingerprint, last.name) }),
      }
    },
  }
}

const PARTICIPANT_POSITION = /^([0-9a-f]{64})\.(.+)$/su

export const badCursor = refuse("bad-request", "The cursor was not issued by this server.")

/** The fingerprint of the certificate that the connection has proved, unless the proof has expired. */
export function provedFingerprint(connection: Connection): string | undefined {
  const { proved } = connection.data
  return proved !== undefined && Date.now() < proved.notAfterMs ? proved.fingerprint : undefined
}

export const notProved = refuse("not-proved", "Prove possession of a certificate on this connection first.")

/**
 * Whether the client holds the key of the certificate that it sent. Each attempt consumes the challenge, so no
 * challenge can be tried twice.
 */
function checkProof(
  purpose: ProofPurpose,
  request: Request<ProofPurpose>,
  challenge: Uint8Array | undefined,
  origins: readonly string[],
): CheckedCertificate | Failure {
  if (challenge === undefined)
    return refuse("bad-proof", "Request a challenge first. Each one is valid once, for a minute.")
  if (!origins.includes(request.origin)) return refuse("wrong-origin", "This server does not have that origin.")
  const checked = checkCertificate(request.certificate, request.issuer, Date.now())
  if (checked === undefined)
    return refuse("bad-certificate", "The certificate is malformed, wrongly signed or not valid now.")
  const message = possessionBytes(purpose, request.origin, challenge, checked.fingerprint)
  if (!checked.verifies(message, request.signature))
    return refuse("bad-proof", "The signature is not the certificate's.")
  return checked
}

/** At most one for each connection, deleted with it. */
class Challenges {
  readonly #issued = new WeakMap<Connection, { readonly challenge: Uint8Array; readonly expiresAtMs: number }>()

  issue(connection: Connection): Uint8Array {
    const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES))
    this.#issued.set(connection, { challenge, expiresAtMs: performance.now() + CHALLENGE_LIFETIME_MS })
    return challenge
  }

  redeem(connection: Connection): Uint8Array | undefined {
    const issued = this.#issued.get(connection)
    this.#issued.delete(connection)
    return issued !== undefined && performance.now() < issued.expiresAtMs ? issued.challenge : undefined
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex")
}
