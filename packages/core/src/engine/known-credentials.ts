import type { MemberId } from "@keymoot/transport"
import type { MemberCredential } from "../identity/index.ts"
import type { LruMap } from "../wire/index.ts"

/** Members of one conference met so far; those not asked for the longest are forgotten. */
export const CREDENTIALS_KNOWN_MAX = 512

/** Who is who: those linked now, and those who were and may have written what is still around. */
export type KnownCredentials = LruMap<MemberId, MemberCredential>
