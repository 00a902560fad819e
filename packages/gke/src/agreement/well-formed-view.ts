import { requireLength } from "../shared/bytes.ts"
import { KeyAgreementError } from "../shared/errors.ts"
import { MEMBERS_MAX } from "../shared/limits.ts"
import type { MemberId } from "../shared/member-id.ts"
import type { KeyedView } from "./key-agreement.ts"

/** @throws KeyAgreementError `bad-input` for a view that `own` cannot be in */
export function requireWellFormed({ sid, self, members }: KeyedView, own: MemberId): void {
  requireLength("sid", sid, 32)
  if (self !== own || !members.includes(self)) throw badView("self must be this member and in members")
  if (members.length > MEMBERS_MAX) throw badView(`at most ${MEMBERS_MAX} members`)
  if (members.some((member, i) => i > 0 && members[i - 1]! >= member))
    throw badView("members must be sorted, each once")
}

function badView(message: string): KeyAgreementError {
  return new KeyAgreementError("bad-input", message)
}
