import { ada } from '#src/testing/settings.ts'

/** A response of either version. Files are text. */
export interface Reading {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the responses of older versions have no types here
  body: any
}

/** The HTTP API of a service of any version. */
export class VersionApi {
  readonly #baseUrl: string
  readonly #operations: Set<string>

  private constructor(baseUrl: string, operations: Set<string>) {
    this.#baseUrl = baseUrl
    this.#operations = operations
  }

  /** Asks a running service which operations it offers. */
  static async of(baseUrl: string): Promise<VersionApi> {
    const response = await fetch(`${baseUrl}/openapi.json`)
    const { paths } = (await response.json()) as {
      paths: Record<string, Record<string, { operationId?: string }>>
    }
    const operations = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId ?? ''),
    )
    return new VersionApi(baseUrl, new Set(operations))
  }

  /** Whether this version has an operation, such as `mergeCompanies`. */
  offers(operationId: string): boolean {
    return this.#operations.has(operationId)
  }

  /** @returns the response of any status */
  async read(path: string, email = ada): Promise<Reading> {
    const response = await fetch(this.#baseUrl + path, { headers: { 'x-user-email': email } })
    return parsed(response)
  }

  /**
   * Writes.
   * @param body an object to send as JSON, or a CSV file
   * @returns the body of the response
   * @throws Error if the service rejects it
   */
  async write(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object | string,
    email = ada,
    // biome-ignore lint/suspicious/noExplicitAny: the responses of older versions have no types here
  ): Promise<any> {
    const type = typeof body === 'string' ? 'text/csv' : 'application/json'
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: { 'x-user-email': email, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const answer = await parsed(response)
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}

async function parsed(response: Response): Promise<Reading> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: isJson && text ? JSON.parse(text) : text }
}
