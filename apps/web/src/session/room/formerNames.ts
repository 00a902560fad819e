import type { Member } from "@keymoot/core"

/** People whose last name is remembered; the first met are forgotten. */
export const FORMER_NAMES_MAX = 512

export type Renamed = { readonly member: Member; readonly before: string }

/**
 * Tells whether a person that arrives was here under another name. The key says so, and not what the person writes. So
 * nobody can appear as the new name of somebody else.
 */
export function openFormerNames() {
  const names = new Map<string, string>()
  return {
    /** @param present all members now; an earlier name that is still here is another tab, and no former name */
    of(member: Member, present: readonly Member[]): Renamed | null {
      const before = member.publicKey === null ? undefined : names.get(member.publicKey)
      if (before === undefined || before === member.name) return null
      const isStillHere = present.some((other) => other.publicKey === member.publicKey && other.name === before)
      return isStillHere ? null : { member, before }
    },
    note(present: readonly Member[]): void {
      for (const { publicKey, name } of present) {
        if (publicKey === null) continue
        names.delete(publicKey)
        names.set(publicKey, name)
      }
      for (const oldest of names.keys()) {
        if (names.size <= FORMER_NAMES_MAX) break
        names.delete(oldest)
      }
    },
  }
}
