import { Conference, Directory, Identities, Identity } from "@keymoot/core"
import type {
  DirectoryHandle,
  IdentitiesHandle,
  KeptConference,
  ListedConference,
  ListedPerson,
  ListedStanding,
  StoredIdentity,
} from "@keymoot/core"
import { AT_MS } from "./diagnostics.ts"
import { LONG, RTL } from "./people.ts"

const DAY_MS = 86_400_000
const nothing = async (): Promise<void> => {}

const INVITATION = { url: "https://keymoot.example/#link" }
const KEPT: readonly KeptConference[] = [
  { id: "1", invitation: INVITATION, about: about("The roof", 2000), people: ["Bob", "Eve"], enteredAtMs: AT_MS },
  { id: "2", invitation: INVITATION, about: about("", -1), people: [LONG, RTL, "Grace"], enteredAtMs: AT_MS - DAY_MS },
  {
    id: "3",
    invitation: INVITATION,
    about: about(`${LONG}: ${RTL}`, 3000),
    people: [],
    enteredAtMs: AT_MS - 2 * DAY_MS,
  },
  { id: "4", invitation: INVITATION, about: null, people: [], enteredAtMs: AT_MS - 3 * DAY_MS },
]
const IDENTITIES: readonly StoredIdentity[] = ["Ada", LONG].map((name, index) => ({
  id: `${index}`,
  name,
  publicKey: `${index}`.padStart(64, "8"),
  chosen: index === 0,
  certifications: [],
}))
const STANDINGS: readonly ListedStanding[] = ["verified", "changed-key", "unverified", "unchecked"]
const LISTED: readonly ListedPerson[] = STANDINGS.map((standing, index) => ({
  name: ["Grace", "Grace", LONG, RTL][index]!,
  fingerprint: `${index + 1}`.repeat(64),
  publicKey: standing === "unchecked" ? null : `${index + 1}`.repeat(64),
  standing,
  card: standing === "unchecked" ? null : "card",
}))
const NAMED: readonly ListedConference[] = LISTED.map((creator, index) => ({
  id: `${index}`,
  opensAtMs: AT_MS,
  endsAtMs: AT_MS + DAY_MS,
  creator: index === 2 ? null : creator,
  signed: index !== 3,
}))

/** The parts of the engine that the start page asks: stored conferences and identities, and the server's directory. */
export function inventEngine(): void {
  const identity = { close: nothing, card: "keymoot-card:".padEnd(200, "A0B1C2"), name: "Ada" }
  const identities = { list: async () => IDENTITIES, close: nothing } as unknown as IdentitiesHandle
  const directory = {
    publishedName: async () => null,
    find: async () => ({ entries: LISTED, next: "more" }),
    conferences: async () => ({ entries: NAMED, next: null }),
    close: nothing,
  } as unknown as DirectoryHandle
  Object.assign(Conference, { kept: async () => KEPT })
  Object.assign(Identity, { open: async () => identity, stored: async () => "Ada", enteredAs: async () => null })
  Object.assign(Identities, { open: async () => identities })
  Object.assign(Directory, { open: async () => directory })
}

/** @param days from the entry to the end */
function about(title: string, days: number): KeptConference["about"] {
  const endsAtMs = AT_MS + days * DAY_MS
  return { title, timeFrame: { opensAtMs: AT_MS - 5 * DAY_MS, endsAtMs, latestEndMs: endsAtMs } }
}
