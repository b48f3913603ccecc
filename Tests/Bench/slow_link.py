"""Passes TCP connections on over a link of some rate and delay: bytes leave no faster, and arrive that much later.

usage: slow_link.py LISTEN_PORT TARGET_PORT BITS_PER_SECOND ROUND_TRIP_SECONDS
"""

import asyncio
import sys

# As much as a router on the way would hold; whoever sends more has to wait.
QUEUE = 256 << 10


class Direction:
    """One way of the link: all connections share its rate."""

    def __init__(self, bits, delay):
        self.seconds_a_byte, self.delay, self.free = 8 / bits, delay, 0.0

    async def take(self, count, loop):
        """Waits until there is room for so many bytes; gives the time at which the last of them arrives."""
        self.free = max(self.free, loop.time()) + count * self.seconds_a_byte
        await asyncio.sleep(self.free - loop.time() - QUEUE * self.seconds_a_byte)
        return self.free + self.delay


async def send(queue, writer, loop):
    while (item := await queue.get()) is not None:
        moment, data = item
        await asyncio.sleep(moment - loop.time())
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


async def carry(reader, writer, direction):
    loop, queue = asyncio.get_running_loop(), asyncio.Queue()
    sender = asyncio.create_task(send(queue, writer, loop))
    try:
        while data := await reader.read(16 << 10):
            queue.put_nowait((await direction.take(len(data), loop), data))
        queue.put_nowait(None)
        await sender
    except ConnectionError:
        sender.cancel()


async def main(port, target, bits, round_trip):
    there, back = (Direction(bits, round_trip / 2) for _ in range(2))

    async def serve(reader, writer):
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        await asyncio.gather(carry(reader, far_writer, there), carry(far_reader, writer, back))
        writer.close()
        far_writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", port) as server:
        await server.serve_forever()


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])))
