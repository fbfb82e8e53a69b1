"""Sends a file of records of one length to a feed that acknowledges them, and loses none: if the connection is lost,
it connects again and continues after the last record that was acknowledged.

    python3 sender.py HOST PORT FILE RECORD_LENGTH
"""

import os
import socket
import struct
import sys
import threading
import time

RETRY_SECONDS = 0.2
RECORDS_AT_ONCE = 1000


class Sender:
    def __init__(self, address, file, record_length):
        self.address = address
        self.file = file
        self.record_length = record_length
        self.stored = 0  # records known to be stored

    def send_from(self, first):
        """One connection: returns when all is acknowledged, or when the connection is lost."""
        try:
            with socket.create_connection(self.address) as connection:
                reader = threading.Thread(target=self.read_acknowledgements, args=(connection, first))
                reader.start()
                try:
                    self.file.seek(first * self.record_length)
                    while portion := self.file.read(RECORDS_AT_ONCE * self.record_length):
                        connection.sendall(portion)
                    # The output is closed: the last count follows, then the end of the connection.
                    connection.shutdown(socket.SHUT_WR)
                finally:
                    reader.join()
        except OSError as error:
            print("connection lost:", error)
            time.sleep(RETRY_SECONDS)

    def read_acknowledgements(self, connection, first):
        """A connection counts its own records, from 0."""
        received = b""
        try:
            while more := connection.recv(4096):
                received += more
                whole = len(received) // 8 * 8
                if whole:
                    self.stored = first + struct.unpack(">Q", received[whole - 8 : whole])[0]
                received = received[whole:]
        except OSError as error:
            print(f"connection lost after {self.stored} stored records:", error)


def main(host, port, path, record_length):
    with open(path, "rb") as file:
        sender = Sender((host, int(port)), file, int(record_length))
        records = os.path.getsize(path) // int(record_length)
        while sender.stored < records:
            sender.send_from(sender.stored)
        print(f"stored {sender.stored} records")


if __name__ == "__main__":
    main(*sys.argv[1:])
