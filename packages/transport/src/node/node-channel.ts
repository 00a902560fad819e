import type { NativeChannel } from "./native.ts"

/** The part of `RTCDataChannel` that links use. */
export class NodeChannel extends EventTarget {
  readonly label: string
  binaryType = "arraybuffer"
  #native: NativeChannel | null = null
  #state: RTCDataChannelState = "connecting"
  #lowThreshold = 0

  constructor(label: string) {
    super()
    this.label = label
  }

  get readyState(): RTCDataChannelState {
    return this.#state
  }

  get bufferedAmount(): number {
    return this.#native?.bufferedAmount() ?? 0
  }

  get bufferedAmountLowThreshold(): number {
    return this.#lowThreshold
  }

  set bufferedAmountLowThreshold(bytes: number) {
    this.#lowThreshold = bytes
    this.#native?.setBufferedAmountLowThreshold(bytes)
  }

  /**
   * Each callback has a queue of its own, and the queues are emptied in the order in which they were set. So messages
   * come before the end, or the binding would drop what arrived just before it. The first ones may come before the
   * opening.
   */
  attach(native: NativeChannel): void {
    this.#native = native
    native.onMessage((message) => {
      this.#open()
      if (this.#state === "open") this.dispatchEvent(new MessageEvent("message", { data: toData(message) }))
    })
    native.onOpen(() => this.#open())
    native.onBufferedAmountLow(() => {
      if (this.#state === "open") this.dispatchEvent(new Event("bufferedamountlow"))
    })
    native.onError((message) => {
      if (this.#state !== "closed") this.dispatchEvent(Object.assign(new Event("error"), { error: new Error(message) }))
    })
    native.onClosed(() => this.#end())
    native.setBufferedAmountLowThreshold(this.#lowThreshold)
  }

  send(bytes: Uint8Array): void {
    if (this.#state !== "open" || !this.#native) throw new Error("The channel is not open.")
    this.#native.sendMessageBinary(bytes)
  }

  close(): void {
    if (this.#state === "closing" || this.#state === "closed") return
    this.#state = "closing"
    this.#native?.close()
  }

  /** Its connection is closed here, so no event follows. */
  abandon(): void {
    this.#state = "closed"
    this.#native?.close()
  }

  #open(): void {
    if (this.#state !== "connecting") return
    this.#state = "open"
    this.dispatchEvent(new Event("open"))
  }

  #end(): void {
    if (this.#state === "closed") return
    this.#state = "closed"
    this.dispatchEvent(new Event("close"))
  }
}

function toData(message: string | Uint8Array | ArrayBuffer): string | ArrayBuffer {
  if (typeof message === "string" || message instanceof ArrayBuffer) return message
  const { buffer, byteOffset, byteLength } = message
  if (byteOffset === 0 && byteLength === buffer.byteLength) return buffer as ArrayBuffer
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
}
