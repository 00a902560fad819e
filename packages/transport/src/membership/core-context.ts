import type { Neighbours } from "../liveness/neighbours.ts"
import type { MemberId } from "../members/ids.ts"
import type { MessageLog } from "../ordering/message-log.ts"
import type { GroupConfig, GroupOutput } from "../view/group-types.ts"
import type { View } from "../view/view.ts"

/** State shared by the parts of the group core. */
export type CoreContext = {
  readonly config: GroupConfig
  readonly neighbours: Neighbours
  readonly emit: (output: GroupOutput) => void
  readonly view: () => View
  readonly log: () => MessageLog
  /** See liveness/blame.ts. */
  readonly blame: (member: MemberId, weight: number) => void
  readonly departed: (member: MemberId) => void
}
