import type {
  Channel,
  ChannelMessage,
  ChannelOptions,
  ConferenceHandle,
  KeymootError,
  SendOptions,
} from "@keymoot/core"
import { useCallback, useState } from "react"
import { useSnapshots } from "./use-snapshots.ts"

export type ChannelInUse = {
  readonly channel: Channel
  /** In their order, see `Channel.log`. */
  readonly messages: readonly ChannelMessage[]
  /** As `Channel.send`, but never rejects: null for a message that was not sent, and `error` says why. */
  readonly send: (data: string | Uint8Array, options?: SendOptions) => Promise<ChannelMessage | null>
  /** The error of the last message; null if it was sent, or is still being sent. */
  readonly error: KeymootError | null
}

/** A channel with its messages. @throws KeymootError `invalid-argument` for an invalid name */
export function useChannel(conference: ConferenceHandle, name: string, options?: ChannelOptions): ChannelInUse {
  const channel = conference.channel(name, options)
  const [failed, setFailed] = useState<{ readonly channel: Channel; readonly error: KeymootError } | null>(null)
  const messages = useSnapshots(channel.log())
  const send = useCallback<ChannelInUse["send"]>(
    async (data, sendOptions) => {
      setFailed(null)
      try {
        return await channel.send(data, sendOptions)
      } catch (error) {
        // All rejections of the package are KeymootErrors.
        setFailed({ channel, error: error as KeymootError })
        return null
      }
    },
    [channel],
  )
  return { channel, messages, send, error: failed?.channel === channel ? failed.error : null }
}
