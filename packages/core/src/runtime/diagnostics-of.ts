import type { MemberId, Mesh } from "@keymoot/transport"
import type { ConferenceView, LinkPath, ServerState } from "../api/index.ts"
import type { GroupDriver } from "../driver/group-driver.ts"
import type { EngineDiagnostics } from "../rpc/protocol.ts"
import type { ConferenceTrace } from "../trace/conference-trace.ts"

export type DiagnosticsSources = {
  readonly self: MemberId
  readonly server: ServerState
  readonly view: ConferenceView
  readonly links: ReadonlyMap<MemberId, LinkPath>
  readonly mesh: Mesh
  readonly driver: GroupDriver
  readonly trace: ConferenceTrace
}

/** State of the parts of one conference, without keys, names and content. */
export function diagnosticsOf(sources: DiagnosticsSources): EngineDiagnostics {
  const { self, server, view, links, mesh, driver, trace } = sources
  return {
    self,
    server,
    view: { epoch: view.epoch, members: view.members.length, status: view.status },
    links: [...links.keys()].sort().map((member) => ({
      member,
      path: links.get(member)!,
      link: links.get(member) === "direct" ? mesh.directLink(member) : null,
      unacknowledgedBytes: mesh.bufferedBytes(member),
      windowBytes: mesh.windowBytes(member) ?? 0,
    })),
    queues: driver.queues,
    views: trace.views,
    security: trace.security,
    trace: trace.trace,
  }
}
