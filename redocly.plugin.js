/**
 * Has the linter look into `x-unmatched-responses`, as at the responses of an operation. They come
 * first, so that a response is seen under its status before it is seen under its component's name.
 */
export default function unmatchedResponses() {
  return {
    id: 'unmatched-responses',
    typeExtension: {
      /** @param {{ Root: { properties: object } }} types */
      oas3: (types) => ({
        ...types,
        Root: {
          ...types.Root,
          properties: { 'x-unmatched-responses': 'Responses', ...types.Root.properties },
        },
      }),
    },
  };
}
