/** Returns null in a browser without any sound, where a call still has pictures. */
export function openSound(): AudioContext | null {
  try {
    return new AudioContext()
  } catch {
    return null
  }
}
