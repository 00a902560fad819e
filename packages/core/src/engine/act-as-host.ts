import type { EngineCalls } from "./protocol.ts"
import type { Session } from "./session.ts"

export type HostCall = "conference.remove" | "conference.setRole" | "conference.admit" | "conference.refuse"

/** @throws KeymootError as `ConferenceHandle.remove` */
export function actAsHost(session: Session, call: HostCall, params: EngineCalls[HostCall]["params"]): Promise<void> {
  const { hosting } = session
  switch (call) {
    case "conference.remove":
      return hosting.remove(session.otherThanSelf(params.member))
    case "conference.setRole": {
      const { member, role } = params as EngineCalls["conference.setRole"]["params"]
      return hosting.setRole(session.otherThanSelf(member), role)
    }
    case "conference.admit": {
      const { member, role } = params as EngineCalls["conference.admit"]["params"]
      return hosting.admit(member, role)
    }
    case "conference.refuse":
      return hosting.refuse(params.member)
  }
}
