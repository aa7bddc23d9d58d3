import type { Json } from '../schemas.ts'

/** What the page reads of an OpenAPI document. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly Tag[]
  readonly paths: Named<Named<OperationObject>>
  /** Each with one method, POST. */
  readonly webhooks?: Named<{ readonly post: Webhook }>
  readonly components: Components
}

export interface Tag {
  readonly name: string
  readonly description: string
}

interface Components {
  readonly schemas: Named<Schema>
  readonly parameters: Named<ParameterObject>
  readonly responses: Named<ResponseObject>
  readonly headers: Named<HeaderObject>
  readonly examples: Named<Failure>
  readonly securitySchemes: Named<SecurityScheme>
  readonly 'x-filters': {
    readonly description: string
    readonly operators: Named<{ readonly meaning: string; readonly quantified: boolean }>
  }
  readonly 'x-preferences': Named<string>
}

export type Named<Value> = Readonly<Record<string, Value>>
export type Ref = { readonly $ref: string }

export interface OperationObject {
  readonly tags: readonly string[]
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: readonly object[]
  readonly parameters?: readonly Ref[]
  readonly requestBody?: Body
  readonly responses: Named<ResponseObject | Ref>
}

/** A request that the service sends. */
export interface Webhook extends Pick<OperationObject, 'summary' | 'description'> {
  readonly parameters: readonly ParameterObject[]
  readonly requestBody: { readonly content: Content }
  readonly responses: Named<ResponseObject>
}

export interface ParameterObject {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly required?: boolean
  readonly description: string
  readonly schema: Schema
  readonly example?: Json
}

/** `x-content` has every form of which `content` has the usual one. */
export interface Body {
  readonly content?: Content
  readonly 'x-content'?: Content
}

export type Content = Named<{ readonly schema: Schema; readonly example?: Json }>

export interface ResponseObject extends Body {
  readonly description: string
  readonly headers?: Named<Ref>
}

interface HeaderObject {
  readonly description: string
  readonly schema: Schema
  readonly example?: Json
}

/** An answer that is an error, with where it occurs. */
export interface Failure {
  readonly value: Readonly<Record<'code' | 'message', string> & Record<'details' | 'hint', string | null>>
  readonly 'x-status': number
  readonly 'x-methods': readonly string[]
}

interface SecurityScheme {
  readonly type: string
  readonly name?: string
  readonly description: string
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly properties?: Named<Schema>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly Json[]
  readonly default?: Json
  readonly examples?: readonly Json[]
  readonly readOnly?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly 'x-operators'?: readonly string[]
  readonly 'x-preferences'?: readonly string[]
}
