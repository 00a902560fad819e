/** When the steps of a join happen, seen from outside: what a page says and hears on its sockets and peer connections. */

/** The first of each kind; milliseconds since 1970. */
export type Steps = Record<string, number>

declare global {
  interface Window {
    joinSteps: Steps
  }
}

/** A page gets it as text, before anything of its own runs: it refers to nothing outside of itself. */
export function traceJoin(): void {
  const steps: Steps = {}
  window.joinSteps = steps
  const note = (step: string): void => void (steps[step] ??= Date.now())

  const asked = new Map<string, string>()
  const noteSent = (text: string): void => {
    const [, number, name] = /^4[25](?:\d+-)?(\d*)\["([a-z:]+)"/u.exec(text) ?? []
    if (!name) return
    note(`asks ${name}`)
    if (number) asked.set(number, name)
  }
  const noteHeard = (text: string): void => {
    if (text.startsWith("40")) return note("server welcomes")
    const [, answered] = /^4[36](?:\d+-)?(\d+)\[/u.exec(text) ?? []
    if (answered) return note(`answer to ${asked.get(answered)}`)
    const [, name] = /^4[25](?:\d+-)?\["([a-z:]+)"/u.exec(text) ?? []
    if (name) note(`hears ${name}`)
  }
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      note("socket begun")
      this.addEventListener("open", () => note("socket open"))
      this.addEventListener("close", ({ code }) => note(`socket closed: ${code}`))
      this.addEventListener("message", ({ data }) => typeof data === "string" && noteHeard(data))
    }
    override send(data: string | ArrayBufferLike | Blob | ArrayBufferView<ArrayBuffer>): void {
      if (typeof data === "string") noteSent(data)
      super.send(data as string)
    }
  }

  const noteChannel = (channel: RTCDataChannel): void => {
    channel.addEventListener("open", () => note("channel open"))
    channel.addEventListener("message", () => note("channel message"))
  }
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      note("peer connection begun")
      this.addEventListener("iceconnectionstatechange", () => note(`ice ${this.iceConnectionState}`))
      this.addEventListener("connectionstatechange", () => note(`dtls ${this.connectionState}`))
      this.addEventListener("datachannel", ({ channel }) => noteChannel(channel))
    }
    override createDataChannel(label: string, options?: RTCDataChannelInit): RTCDataChannel {
      const channel = super.createDataChannel(label, options)
      noteChannel(channel)
      return channel
    }
    // The lib also declares a form with callbacks, which nobody uses any more.
    override async setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
      note(`remote ${description.type}`)
      return super.setRemoteDescription(description)
    }
  }
}
