/** A browser for sign-in tests, without scripts: keeps cookies by host and path, follows redirects, submits forms. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; host: string; path: string }>()
  /** The URLs that the last visit went through, including the first and the last. */
  visited: string[] = []

  /** Visits a URL and follows redirects up to one that matches `stopAt`, which is not requested. */
  async visit(address: string, init: RequestInit = {}, stopAt?: RegExp): Promise<Answer> {
    this.visited = []
    let next = address
    let request = init
    for (let steps = 0; steps < 20; steps++) {
      this.visited.push(next)
      const answer = await this.#request(next, request)
      const location = answer.headers.get('location')
      if (!location) return answer
      next = new URL(location, next).href
      if (stopAt?.test(next)) return { ...answer, address: next }
      request = { headers: new Headers(init.headers) }
    }
    throw new Error(`Too many redirects: ${this.visited.join(' → ')}`)
  }

  /** Submits the form whose button has this text or value. */
  async press(page: Answer, button: string, stopAt?: RegExp): Promise<Answer> {
    for (const [, attributes, content] of page.body.matchAll(/<form([^>]*)>(.*?)<\/form>/gs))
      for (const [, ofButton, text] of (content as string).matchAll(/<button([^>]*)>(.*?)<\/button>/gs)) {
        const name = attribute(ofButton, 'name')
        const value = attribute(ofButton, 'value')
        if (button !== value && button !== text) continue
        const body = new URLSearchParams(name ? { [name]: value ?? '' } : {})
        for (const [, input] of (content as string).matchAll(/<input([^>]*)>/g))
          body.set(attribute(input, 'name') ?? '', attribute(input, 'value') ?? '')
        const address = new URL(attribute(attributes, 'action') ?? '', page.address).href
        return this.visit(address, { method: 'POST', body, headers: HTML }, stopAt)
      }
    throw new Error(`There is no button ${button} at ${page.address}: ${page.body.slice(0, 2000)}`)
  }

  cookie(name: string): string | undefined {
    for (const [key, { value }] of this.#cookies) if (key.startsWith(`${name};`)) return value
    return undefined
  }

  cookieNames(): string[] {
    return Array.from(this.#cookies.keys(), (key) => key.split(';')[0] as string)
  }

  setCookie(host: string, name: string, value: string): void {
    this.#cookies.set(`${name};${host};/`, { value, host, path: '/' })
  }

  async #request(address: string, init: RequestInit): Promise<Answer> {
    const { hostname, pathname } = new URL(address)
    const cookies = [...this.#cookies].filter(
      ([, { host, path }]) => host === hostname && pathname.startsWith(path),
    )
    const headers = new Headers(init.headers)
    headers.set('cookie', cookies.map(([key, { value }]) => `${key.split(';')[0]}=${value}`).join('; '))
    const response = await fetch(address, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.#keep(line, hostname)
    return { address, status: response.status, headers: response.headers, body: await response.text() }
  }

  #keep(line: string, host: string): void {
    const [pair, ...attributes] = line.split(/;\s*/) as [string, ...string[]]
    const partOf = (name: string) =>
      attributes.find((text) => text.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1)
    const path = partOf('path') ?? '/'
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    const expires = partOf('expires')
    const isGone = partOf('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= Date.now())
    const key = `${name};${host};${path}`
    if (isGone) this.#cookies.delete(key)
    else this.#cookies.set(key, { value, host, path })
  }
}

const attribute = (attributes: string | undefined, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(attributes ?? '')?.[1]

export interface Answer {
  address: string
  status: number
  headers: Headers
  body: string
}

/** The headers of a browser that loads a page. */
export const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
