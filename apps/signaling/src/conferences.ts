import { CONFERENCE_LIFETIME_MS_MAX } from "@keymoot/transport/signaling-protocol"
import { type Handlers, refuse } from "./connection.ts"
import type { Store } from "./store/store.ts"

/** The directory of conferences: descriptors by id, unread. */
export function conferenceHandlers(store: Store): Pick<Handlers, "conference:create" | "conference:get"> {
  return {
    "conference:create": async (_connection, { id, descriptor, expiresAtMs }) => {
      const nowMs = Date.now()
      if (expiresAtMs <= nowMs) return refuse("bad-request", "The expiry is in the past by the server's clock.")
      if (expiresAtMs > nowMs + CONFERENCE_LIFETIME_MS_MAX) return refuse("bad-request", "The expiry is too far ahead.")
      const outcome = await store.createConference({ id, descriptor, expiresAtMs })
      if (outcome === "exists") return refuse("conference-exists", "This conference id is taken.")
      if (outcome === "full") return refuse("storage-full", "The server can store no more conferences now.")
      return { ok: true }
    },
    "conference:get": async (_connection, { id }) => {
      const descriptor = await store.findDescriptor(id, Date.now())
      if (descriptor === undefined) return refuse("unknown-conference", "The server knows no such conference.")
      return { ok: true, descriptor }
    },
  }
}
