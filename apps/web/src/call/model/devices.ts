import { type Readable, store } from "../../store.ts"

export const DEVICE_USES = ["microphone", "camera", "speaker"] as const
export type DeviceUse = (typeof DEVICE_USES)[number]
export type Device = Pick<MediaDeviceInfo, "deviceId" | "label">
export type Devices = Readonly<Record<DeviceUse, readonly Device[]>>
type Chosen = Readonly<Partial<Record<DeviceUse, string>>>

export type CallDevices = {
  /** Devices of this computer, as far as the browser shows them: before it may use one, it shows none. */
  readonly known: Readable<Devices>
  /** The person's choice that is connected; null: the browser's default. */
  chosen(use: DeviceUse): string | null
  /** The person's choice, whether it is connected or not. */
  chosenEver(use: DeviceUse): string | null
  /** The choice as the browser takes it. Before a page may use a device, browsers do not say which are there. */
  wish(use: DeviceUse): ConstrainDOMStringParameters | null
  /** Changes when a choice or a device changes. */
  readonly changed: Readable<number>
  choose(use: DeviceUse, deviceId: string | null): void
  /** Looks again. The browser tells more once it may use a device. */
  look(): Promise<void>
}

const KEY = "keymoot devices"
const KINDS: Readonly<Record<DeviceUse, MediaDeviceKind>> = {
  microphone: "audioinput",
  camera: "videoinput",
  speaker: "audiooutput",
}
const NONE: Devices = { microphone: [], camera: [], speaker: [] }

/** The devices of this computer. It follows what is connected and unplugged. */
export function openDevices(signal: AbortSignal): CallDevices {
  const known = store<Devices>(NONE)
  const changed = store(0)
  let wanted = stored()
  const here = navigator.mediaDevices as MediaDevices | undefined
  const look = async (): Promise<void> => {
    const all = (await here?.enumerateDevices().catch(() => [])) ?? []
    const of = (use: DeviceUse): Device[] => all.filter(({ kind, deviceId }) => kind === KINDS[use] && deviceId !== "")
    known.set({ microphone: of("microphone"), camera: of("camera"), speaker: mayChooseSpeaker() ? of("speaker") : [] })
    changed.set(changed.get() + 1)
  }
  here?.addEventListener?.("devicechange", () => void look(), { signal })
  const chosenEver = (use: DeviceUse): string | null => wanted[use] ?? null
  const chosen = (use: DeviceUse): string | null =>
    known.get()[use].find(({ deviceId }) => deviceId === wanted[use])?.deviceId ?? null
  return {
    known,
    changed,
    chosen,
    chosenEver,
    wish(use) {
      const [here, ever] = [chosen(use), chosenEver(use)]
      if (here !== null) return { exact: here }
      return ever === null ? null : { ideal: ever }
    },
    choose(use, deviceId) {
      const { [use]: _, ...others } = wanted
      wanted = deviceId === null ? others : { ...others, [use]: deviceId }
      changed.set(changed.get() + 1)
      try {
        localStorage.setItem(KEY, JSON.stringify(wanted))
      } catch {
        // Nothing can be stored here: the choice lasts until the page is closed.
      }
    },
    look,
  }
}

function mayChooseSpeaker(): boolean {
  return typeof HTMLMediaElement !== "undefined" && "setSinkId" in HTMLMediaElement.prototype
}

function stored(): Chosen {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}")
    return typeof value === "object" && value !== null ? (value as Chosen) : {}
  } catch {
    return {}
  }
}
