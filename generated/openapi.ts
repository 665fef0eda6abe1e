// Written by "npm run generate" from the contract. Don't edit: edit the contract.

/** Of the contract: a service that was compiled against another one doesn't start. */
export const contractDigest = '07ab836db980200236f7d900cf66ddf0c415b628d5e1a98138a70a7b7933dcab';

export interface paths {
    "/plants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a plant
         * @description Adds a plant to the store. Repeating a create with the same content changes nothing and
         *     answers 200; the same id with other content is refused with 409 and nothing is overwritten.
         *     The operation has no query parameters, and a request that carries one is refused.
         */
        post: operations["createPlant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A plant, as the store returns it. */
        Plant: {
            /**
             * @description The name of the plant. Any text without U+0000, which not every store can hold.
             * @example monkey puzzle
             */
            name: string;
            /**
             * @description What type of plant it is. Any text without U+0000.
             * @example araucaria
             */
            tag?: string;
        };
        /** @description A plant to add to the store. */
        NewPlant: components["schemas"]["Plant"] & {
            /**
             * Format: int64
             * @description Identification number of the plant, from -9223372036854775808 to 9223372036854775807.
             *     It is taken to the last digit, also beyond 2^53: write it as a JSON number, with a
             *     JSON writer that doesn't go through floating point.
             * @example 11646167
             */
            id: bigint;
        };
        /** @description Why a request was refused or failed. */
        Error: {
            /**
             * Format: int32
             * @description Numeric error indicator. Its first three digits are the HTTP status.
             * @example 40002
             */
            error: number;
            /**
             * @description What was wrong, where, and what would be right. For people; don't parse it.
             * @example /id: is required
             */
            message: string;
        };
    };
    responses: {
        /** @description The methods of the path, in `Allow`. */
        Options: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                /** @description The methods that the path has. */
                Allow: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description The request is not what the contract says. The message names each problem, those of the body
         *     by JSON Pointer.
         */
        BadRequest: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                /**
                 * @description What is left of the limit, `r` requests, and in how many seconds `t` there is more
                 *     (draft-ietf-httpapi-ratelimit-headers-10). Absent where the service limits nobody.
                 */
                RateLimit?: string;
                /** @description The limit of each caller, `q` requests in `w` seconds. */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no token, or it is unknown, expired or revoked. */
        Unauthorized: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                /** @description The challenge (RFC 6750 §3). */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is nothing at this path. Paths are case-sensitive and have no trailing slash. */
        NotFound: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path exists, but has no such method. */
        MethodNotAllowed: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                /** @description The methods that the path has. */
                Allow: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request's `Accept` excludes every media type that this operation answers with. */
        NotAcceptable: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                /**
                 * @description What is left of the limit, `r` requests, and in how many seconds `t` there is more
                 *     (draft-ietf-httpapi-ratelimit-headers-10). Absent where the service limits nobody.
                 */
                RateLimit?: string;
                /** @description The limit of each caller, `q` requests in `w` seconds. */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request did not arrive in the time allowed. The connection is closed. */
        RequestTimeout: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                /**
                 * @description What is left of the limit, `r` requests, and in how many seconds `t` there is more
                 *     (draft-ietf-httpapi-ratelimit-headers-10). Absent where the service limits nobody.
                 */
                RateLimit?: string;
                /** @description The limit of each caller, `q` requests in `w` seconds. */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than the service takes. */
        ContentTooLarge: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                /**
                 * @description What is left of the limit, `r` requests, and in how many seconds `t` there is more
                 *     (draft-ietf-httpapi-ratelimit-headers-10). Absent where the service limits nobody.
                 */
                RateLimit?: string;
                /** @description The limit of each caller, `q` requests in `w` seconds. */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The body's media type is not `application/json`, its charset not UTF-8, or it has a content
         *     coding. One of `Accept` and `Accept-Encoding` says what would do (RFC 9110 §15.5.16).
         */
        UnsupportedMediaType: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                /**
                 * @description What is left of the limit, `r` requests, and in how many seconds `t` there is more
                 *     (draft-ietf-httpapi-ratelimit-headers-10). Absent where the service limits nobody.
                 */
                RateLimit?: string;
                /** @description The limit of each caller, `q` requests in `w` seconds. */
                "RateLimit-Policy"?: string;
                /** @description The media types that the operation takes. */
                Accept?: string;
                /** @description The content codings that the service takes. */
                "Accept-Encoding"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The caller has made more requests than it may in a while. Nothing was changed, and to send the
         *     same request again later is safe.
         */
        TooManyRequests: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                /**
                 * @description What is left of the limit, `r` requests, and in how many seconds `t` there is more
                 *     (draft-ietf-httpapi-ratelimit-headers-10). Absent where the service limits nobody.
                 */
                RateLimit?: string;
                /** @description The limit of each caller, `q` requests in `w` seconds. */
                "RateLimit-Policy"?: string;
                /** @description In how many seconds to try again. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The header section is larger than the service takes. The connection is closed. */
        RequestHeaderFieldsTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description Something went wrong that is not the client's fault. The service's log says what, under the
         *     request's id.
         */
        InternalServerError: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                /**
                 * @description What is left of the limit, `r` requests, and in how many seconds `t` there is more
                 *     (draft-ietf-httpapi-ratelimit-headers-10). Absent where the service limits nobody.
                 */
                RateLimit?: string;
                /** @description The limit of each caller, `q` requests in `w` seconds. */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The service can't take the request now: the store is down, too much is waiting, the issuer of the
         *     token can't be asked for its keys, or the service is stopping. Try again later. Nothing was
         *     changed, except with the error 50305: what was sent may have been stored then, and to send it
         *     again is safe.
         */
        ServiceUnavailable: {
            headers: {
                /**
                 * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                 *     to 128 letters, digits and `-._~`, else one made for this exchange.
                 */
                "X-Request-Id"?: string;
                /**
                 * @description What is left of the limit, `r` requests, and in how many seconds `t` there is more
                 *     (draft-ietf-httpapi-ratelimit-headers-10). Absent where the service limits nobody.
                 */
                RateLimit?: string;
                /** @description The limit of each caller, `q` requests in `w` seconds. */
                "RateLimit-Policy"?: string;
                /** @description In how many seconds to try again. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
         *     to 128 letters, digits and `-._~`, else one made for this exchange.
         */
        RequestId: string;
        /**
         * @description What is left of the limit, `r` requests, and in how many seconds `t` there is more
         *     (draft-ietf-httpapi-ratelimit-headers-10). Absent where the service limits nobody.
         */
        RateLimit: string;
        /** @description The limit of each caller, `q` requests in `w` seconds. */
        RateLimitPolicy: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createPlant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * @description The plant to add, as JSON in UTF-8. A member name that occurs twice is refused. Members the
         *     schema doesn't name are ignored: they are neither stored nor returned.
         */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlant"];
            };
        };
        responses: {
            /** @description The plant is in the store, on disk, whether this request or an earlier one put it there. */
            200: {
                headers: {
                    /**
                     * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                     *     to 128 letters, digits and `-._~`, else one made for this exchange.
                     */
                    "X-Request-Id"?: string;
                    /**
                     * @description What is left of the limit, `r` requests, and in how many seconds `t` there is more
                     *     (draft-ietf-httpapi-ratelimit-headers-10). Absent where the service limits nobody.
                     */
                    RateLimit?: string;
                    /** @description The limit of each caller, `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plant"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The id belongs to another plant. That plant is unchanged. */
            409: {
                headers: {
                    /**
                     * @description Names this exchange in the service's log. It is the request's `X-Request-Id` where that has 1
                     *     to 128 letters, digits and `-._~`, else one made for this exchange.
                     */
                    "X-Request-Id"?: string;
                    /**
                     * @description What is left of the limit, `r` requests, and in how many seconds `t` there is more
                     *     (draft-ietf-httpapi-ratelimit-headers-10). Absent where the service limits nobody.
                     */
                    RateLimit?: string;
                    /** @description The limit of each caller, `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
        security: "bearerAuth";
    };
}
