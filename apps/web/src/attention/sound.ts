const LENGTH_S = 0.25
const PITCH_HZ = 660
const LOUDNESS = 0.08

let audio: AudioContext | null = null

/** A short, soft tone, synthesized here: nothing is loaded for it. It reveals neither content nor author. */
export function playSound(): void {
  try {
    audio ??= new AudioContext()
    void audio.resume()
    const [tone, fade] = [audio.createOscillator(), audio.createGain()]
    tone.frequency.value = PITCH_HZ
    fade.gain.setValueAtTime(LOUDNESS, audio.currentTime)
    fade.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + LENGTH_S)
    tone.connect(fade).connect(audio.destination)
    tone.start()
    tone.stop(audio.currentTime + LENGTH_S)
  } catch {
    // No sound is available here.
  }
}
