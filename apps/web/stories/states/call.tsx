import { KeymootError } from "@keymoot/core"
import type { Session } from "../../src/session/session.ts"
import { FEW, LONG, MANY, MORE } from "../people.ts"
import { pictureTrack } from "../media.ts"
import { conference, type States } from "../scenes.tsx"

/** A call and its devices. */
export const call: States = {
  "call to be joined": () => conference({ names: FEW, inCall: 2 }),
  "call preview": () => conference({ names: FEW, inCall: 2 }, (_, session) => session.call.preview()),
  "preview of a viewer": () =>
    conference({ names: FEW, inCall: 2, viewer: true }, (_, session) => session.call.preview()),
  "preview with a hidden address": () =>
    conference({ names: FEW, inCall: 2, call: { hidden: true } }, (_, session) => session.call.preview()),
  "camera refused in the preview": () =>
    conference({ names: FEW, inCall: 2 }, (_, session) => {
      refuseDevices("NotAllowedError")
      session.call.preview()
      void session.call.toggle("camera")
    }),
  "browser without calls": () => {
    Reflect.deleteProperty(globalThis, "RTCRtpScriptTransform")
    return conference({ names: FEW, inCall: 2 }, (_, session) => session.call.preview())
  },
  "entering a call": () =>
    conference({ names: FEW, inCall: 2, call: { entering: true } }, (_, session) => {
      session.call.preview()
      void session.call.join()
    }),
  "call alone": () => conference({ names: FEW, inCall: 1 }, (_, session) => void session.call.join()),
  "in a call": () =>
    conference({ names: [...MANY, LONG], inCall: 7, inCallAs: TROUBLED }, (_, session) => void session.call.join()),
  "heard in a call": () => conference({ names: FEW, inCall: 3 }, (_, session) => void speak(session)),
  "person speaks in a call": () =>
    conference({ names: FEW, inCall: 3, inCallAs: [{ speaking: false }, { speaking: true }] }, (_, session) => {
      void session.call.join()
    }),
  "camera unplugged": () => conference({ names: FEW, inCall: 3 }, (_, session) => void unplug(session, "camera")),
  "microphone unplugged": () =>
    conference({ names: FEW, inCall: 3 }, (_, session) => void unplug(session, "microphone")),
  "own screen shared": () =>
    conference({ names: FEW, inCall: 3 }, (_, session) => {
      navigator.mediaDevices.getDisplayMedia = async () => new MediaStream([pictureTrack()])
      void session.call.join().then(() => session.call.toggle("screen"))
    }),
  "shared screen": () =>
    conference({ names: FEW, inCall: 3, call: { screen: true } }, (_, session) => void session.call.join()),
  "enlarged person": () =>
    conference({ names: FEW, inCall: 3 }, (story, session) => {
      const tile = { member: story.members[1]!.id, purpose: "camera" } as const
      void session.call.join().then(() => session.call.toggleStage(tile))
    }),
  "person comes back into a call": () =>
    conference({ names: FEW, inCall: 2, inCallAs: [{ connection: "connecting", receives: false }] }, (_, session) => {
      void session.call.join()
    }),
  "call on a busy device": () =>
    conference({ names: FEW, inCall: 3, call: { busy: true } }, (story, session) => {
      void speak(session).then(() => story.emitMedia("change"))
    }),
  "key changes in a call": () =>
    conference({ names: FEW, inCall: 3, status: "keyed" }, (_, session) => void session.call.join()),
  "muted by a host": () =>
    conference({ names: FEW, inCall: 3 }, (story, session) => {
      void session.call.join().then(() => story.emitMedia("request", "mute", story.members[1]!))
    }),
  "asked to unmute": () =>
    conference({ names: [...FEW, LONG], inCall: 4 }, (story, session) => {
      void session.call.join().then(() => story.emitMedia("request", "unmute", story.members[3]!))
    }),
  "device refused": () =>
    conference({ names: FEW, inCall: 2 }, (_, session) => {
      refuseDevices("NotAllowedError")
      void session.call.join().then(() => session.call.toggle("microphone"))
    }),
  "no camera found": () =>
    conference({ names: FEW, inCall: 2 }, (_, session) => void without(session, "NotFoundError")),
  "camera of another program": () =>
    conference({ names: FEW, inCall: 2 }, (_, session) => void without(session, "NotReadableError")),
  "camera refused by the system": () =>
    conference({ names: FEW, inCall: 2 }, (_, session) => {
      void without(session, "NotAllowedError", "Permission denied by system")
    }),
  "camera muted by the system": () =>
    conference({ names: FEW, inCall: 2 }, (_, session) => {
      const track = Object.defineProperty(pictureTrack(), "muted", { value: true })
      navigator.mediaDevices.getUserMedia = async () => new MediaStream([track])
      void session.call.join().then(() => session.call.toggle("camera"))
    }),
  "call that cannot be encrypted": () =>
    conference({ names: FEW, inCall: 2, call: { refusal: "unsupported-browser" } }, (_, session) => {
      void session.call.join()
    }),
  "call not joined": () =>
    conference({ names: FEW, inCall: 2, call: { refusal: "server-unreachable" } }, (_, session) => {
      void session.call.join()
    }),
  "full call": () =>
    conference({ names: FEW, inCall: 3 }, (story, session) => {
      void session.call.join().then(() => story.emitMedia("full"))
    }),
  "call that stopped": () =>
    conference({ names: FEW, inCall: 3 }, (story, session) => {
      void session.call.join().then(() => story.emitMedia("failed", new KeymootError("closed", "stopped")))
    }),
  "preview beside people without a link": () =>
    conference({ names: FEW, inCall: 2, path: "relayed-by-member" }, (_, session) => session.call.preview()),
  "call beside people without a link": () =>
    conference({ names: FEW, inCall: 2, path: "relayed-by-member" }, (_, session) => void session.call.join()),
  "call of twelve": () =>
    conference({ names: [...MANY, LONG, ...MORE], inCall: 12 }, (_, session) => void session.call.join()),
  "call before a reload": () => {
    sessionStorage.setItem("keymoot call", JSON.stringify({ conference: "5".repeat(32), toggles: ["microphone"] }))
    return conference({ names: FEW, inCall: 3, path: "relayed-by-member" })
  },
  "listening to a call": () =>
    conference({ names: FEW, inCall: 3, viewer: true }, (_, session) => void session.call.join()),
}

/** States of the connections to the first others. */
const TROUBLED = [
  {},
  { connection: "connecting", receives: false },
  { connection: "no-path", receives: false },
  { undecryptable: true, quality: "poor" },
  { quality: "fair" },
  { connection: "no-path", receives: false },
] as const

/** As this browser would show it on a machine whose person has refused. */
function refuseDevices(name: string, message = "refused"): void {
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException(message, name))
}

/** Enters the call, and presses Camera in vain. */
async function without({ call }: Session, name: string, message?: string): Promise<void> {
  refuseDevices(name, message)
  await call.join()
  await call.toggle("camera")
}

/** Enters the call with a microphone that is silent, and a camera. */
async function speak({ call }: Session): Promise<void> {
  const sound = new AudioContext().createMediaStreamDestination().stream
  const picture = document.createElement("canvas").captureStream()
  navigator.mediaDevices.getUserMedia = async ({ audio } = {}) => (audio === undefined ? picture : sound)
  await call.join()
  for (const toggle of ["microphone", "camera"] as const) await call.toggle(toggle)
}

/** Enters the call with both devices, of which one is gone afterwards. */
async function unplug(session: Session, device: "microphone" | "camera"): Promise<void> {
  await speak(session)
  session.call.own.get().get(device)!.dispatchEvent(new Event("ended"))
}
