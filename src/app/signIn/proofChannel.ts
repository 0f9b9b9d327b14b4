const CHANNEL = 'proof'

/** Tells the other windows of this browser that the person has proved at a provider who they are. */
export function announceProof(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(null)
  channel.close()
}

/** Calls the listener when another window announces a proof; returns the function to stop. */
export function onProof(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = listener
  return () => channel.close()
}
