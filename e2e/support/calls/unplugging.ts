/** Cameras and microphones that a test can unplug. */
import type { Person } from "../person.ts"

type Device = "camera" | "microphone"
type Unplugs = { readonly unplugs: Record<Device, () => Promise<void>> }

/**
 * Leads each device through a connection of the page to itself. When one end stops, the browser ends the track at the
 * other end, and fires the same event as for an unplugged device. Firefox has no such event for its fake devices. Call it
 * before the page loads.
 */
export function allowUnplugging({ page }: Person): Promise<unknown> {
  return page.addInitScript(() => {
    // An empty page has none.
    const { mediaDevices } = navigator as { readonly mediaDevices?: MediaDevices }
    if (!mediaDevices) return
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    const unplugs = {} as Unplugs["unplugs"]
    Object.assign(globalThis, { unplugs })
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints)
      const [device, socket] = [new RTCPeerConnection(), new RTCPeerConnection()]
      for (const [from, to] of [
        [device, socket],
        [socket, device],
      ] as const)
        from.addEventListener("icecandidate", ({ candidate }) => void to.addIceCandidate(candidate ?? undefined))
      const negotiate = async (): Promise<void> => {
        await device.setLocalDescription()
        await socket.setRemoteDescription(device.localDescription!)
        await socket.setLocalDescription()
        await device.setRemoteDescription(socket.localDescription!)
      }
      for (const track of stream.getTracks()) device.addTrack(track, stream)
      await negotiate()
      unplugs[constraints?.video ? "camera" : "microphone"] = async () => {
        for (const transceiver of device.getTransceivers()) transceiver.stop()
        await negotiate()
      }
      return new MediaStream(socket.getReceivers().map(({ track }) => track))
    }
  })
}

/** Unplugs the device that the page has opened last of that kind. */
export function unplug({ page }: Person, device: Device): Promise<void> {
  return page.evaluate((device) => (globalThis as unknown as Unplugs).unplugs[device](), device)
}
