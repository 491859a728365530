import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** An erased address: `address_hash` is the SHA-256 in hex of the pseudonym, a space, and the address. */
export interface ErasedAddress {
  pseudonym: string
  address_hash: string
}

const MAX_CACHED_ADDRESSES = 10_000

/** Recognizes the addresses of erased people, of which only hashes are known. */
export class ErasedAddresses {
  readonly #hashes = new Map<string, string>()
  readonly #cache = new LRUCache<string, boolean>({ max: MAX_CACHED_ADDRESSES })

  /** @param email in lower case */
  has(email: string): boolean {
    if (this.#hashes.size === 0) return false
    const known = this.#cache.get(email)
    if (known !== undefined) return known
    const isErased = [...this.#hashes].some(
      ([pseudonym, hash]) => createHash('sha256').update(`${pseudonym} ${email}`).digest('hex') === hash,
    )
    this.#cache.set(email, isErased)
    return isErased
  }

  add({ pseudonym, address_hash }: ErasedAddress): void {
    if (this.#hashes.get(pseudonym) === address_hash) return
    this.#hashes.set(pseudonym, address_hash)
    this.#cache.clear()
  }

  clear(): void {
    this.#hashes.clear()
    this.#cache.clear()
  }
}
