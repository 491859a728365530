/** An error response of the service. */
export class ApiError extends Error {
  readonly status: number
  /** The fixed phrase of the status. */
  readonly error: string
  /** A sentence that says what is wrong and what is allowed. */
  readonly details: string
  /** The id of the request in the service's log. */
  readonly requestId: string | null

  constructor(status: number, error: string, details: string, requestId: string | null) {
    super(`${error}: ${details}`)
    this.name = new.target.name
    this.status = status
    this.error = error
    this.details = details
    this.requestId = requestId
  }
}

/** 400, 409, 410, 413, 414, 415, 431: the request was wrong. */
export class InvalidRequest extends ApiError {}
/** 401: the credential is missing or invalid. */
export class NotSignedIn extends ApiError {}
/** 403: the user may not do this. */
export class NotAllowed extends ApiError {}
/** 404: the record does not exist. */
export class NotFound extends ApiError {}
/** 412: the record has changed since it was read (`If-Match`); nothing was changed. */
export class PreconditionFailed extends ApiError {}
/** 429: too many requests. */
export class TooManyRequests extends ApiError {}
/** 503: a dependency of the service is unreachable. The same request may succeed later. */
export class DependencyUnavailable extends ApiError {}

/** The service did not respond, or the connection was interrupted. */
export class ServiceUnreachable extends Error {
  constructor(address: string, cause: unknown) {
    super(`${new URL(address).origin} cannot be reached.`, { cause })
    this.name = 'ServiceUnreachable'
  }
}

const KINDS: Record<number, typeof ApiError> = {
  400: InvalidRequest,
  401: NotSignedIn,
  403: NotAllowed,
  404: NotFound,
  409: InvalidRequest,
  410: InvalidRequest,
  412: PreconditionFailed,
  413: InvalidRequest,
  414: InvalidRequest,
  415: InvalidRequest,
  429: TooManyRequests,
  431: InvalidRequest,
  503: DependencyUnavailable,
}

/** Creates the error for an unsuccessful response. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status, statusText, headers } = response
  const { error = statusText, details = `The service responded with status ${status} and no details.` } =
    parseErrorBody(await response.text())
  const Kind = KINDS[status] ?? ApiError
  return new Kind(status, error, details, headers.get('x-request-id'))
}

/** The fields of an error response. Empty for any other body, such as the error page of a proxy. */
function parseErrorBody(text: string): { error?: string; details?: string } {
  try {
    const { error, details } = JSON.parse(text)
    return {
      ...(typeof error === 'string' ? { error } : {}),
      ...(typeof details === 'string' ? { details } : {}),
    }
  } catch {
    return {}
  }
}
