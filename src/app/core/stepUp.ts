import { useSyncExternalStore } from 'react'
import type { SignOnProvider } from './branding.ts'

/** The ways in which the signed-in person can prove again who they are. */
export interface ProofWays {
  password: boolean
  /** By a code of their authenticator app. */
  authenticator: boolean
  providers: SignOnProvider[]
}
/** A question to the person; `settle` ends it, and says whether they have proved who they are. */
export interface Question {
  ways: ProofWays
  settle: (isProved: boolean) => void
}

let question: Question | undefined
let answer: Promise<boolean> | undefined
const listeners = new Set<() => void>()

function ask(next: Question | undefined): void {
  question = next
  for (const listener of listeners) listener()
}

/**
 * Asks the person to prove again who they are; false if they do not want to. Calls that are refused at once share one
 * question.
 */
export function askForProof(ways: ProofWays): Promise<boolean> {
  answer ??= new Promise<boolean>((resolve) => {
    const settle = (isProved: boolean) => {
      answer = undefined
      ask(undefined)
      resolve(isProved)
    }
    ask({ ways, settle })
  })
  return answer
}

/** The question that is open; renders again when it changes. */
export function useProofQuestion(): Question | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => question,
  )
}

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
