import { changeOwner, chooseAccount } from './account.ts'
import { type Address, newAddress, removeUnused, restoreSocketFolder } from './address.ts'
import type { Binary } from './binary.ts'
import { holdsDatabase, makeDatabase } from './folder.ts'
import { type Launch, launch } from './launch.ts'

/** Starts the server of a data folder, at the same address every time. */
interface Starter {
  start(): Promise<Launch>
  /** Sets the actual address of the server, which another copy of the app may have chosen. */
  setAddress(address: Address | undefined): void
}

/** Makes a Starter, which prepares account, data folder and address only when a server has to be started. */
export function starter(folder: string, binary: Binary, settings: Record<string, string>): Starter {
  let place: ReturnType<typeof chooseAccount> | undefined
  let address: Address | undefined
  return {
    async start() {
      place ??= chooseAccount(binary, folder)
      const { account, native } = place
      if (holdsDatabase(folder, binary.major)) changeOwner(account, folder)
      else makeDatabase(folder, native, account, settings.fsync !== 'off')
      if (address) restoreSocketFolder(address, account)
      else address = await newAddress(folder, account)
      return launch(folder, native, account, address, settings)
    },
    setAddress(actual) {
      if (address && address.socketFolder !== actual?.socketFolder) removeUnused(address)
      address = actual
    },
  }
}
