/** What crosses between a page and the worker that its engine is in: the engine's own, and data channels that go over to it. */
import type { ChannelNews, LinkNumber } from "@keymoot/transport/host"
import type { FromEngine, ToEngine } from "./protocol.ts"

export type ToWorker =
  | ToEngine
  /** Transferred: it is the worker's from here on. */
  | { readonly type: "channel"; readonly link: LinkNumber; readonly channel: RTCDataChannel }
  | { readonly type: "channel-close"; readonly link: LinkNumber }

export type FromWorker = FromEngine | { readonly type: "channel-news"; readonly news: ChannelNews }
