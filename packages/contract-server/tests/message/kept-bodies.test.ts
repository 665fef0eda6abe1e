import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { KeptBodies } from '../../src/message/kept-bodies.js';

function newResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

it('has room for the next body once an answer has given back what its own has taken', () => {
  const bodies = new KeptBodies(100);
  const answered = newResponse();
  const keepFirst = bodies.of(answered);
  const keepSecond = bodies.of(newResponse());

  const before = [keepFirst(40), keepFirst(20), keepSecond(41), keepSecond(40)];
  answered.emit('close');
  const after = [keepSecond(60), keepSecond(1)];

  expect(before).toEqual([true, true, false, true]);
  expect(after).toEqual([true, false]);
});
