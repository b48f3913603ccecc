"""A standalone cluster of Spark on this machine, whose workers can be killed."""

import os
import re
import signal
import subprocess
import time

import pyspark

HOME = os.path.dirname(pyspark.__file__)
# For small machines: threads that compile and collect garbage would take the cores from the work.
JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"


class Cluster:
    """A master and workers of one core each."""

    def __init__(self, scratch, workers, environment, java=JAVA):
        self.scratch, self.java = scratch, java
        self.environment = dict(
            environment_of(scratch, environment), SPARK_WORKER_DIR=os.path.join(scratch, "work"),
            SPARK_DAEMON_MEMORY="256m", SPARK_DAEMON_JAVA_OPTS=java)
        self.master, log = self.start("master", "master.Master", "--host", "localhost", "--port", "0", "--webui-port", "0")
        self.url = wait_for(log, r"Starting Spark master at (spark://\S+)")
        self.workers = []
        for number in range(workers):
            # As if it were a machine with one core: an executor, Python and the tool would use two otherwise.
            worker, log = self.start(f"worker{number}", "worker.Worker", "--host", "localhost", "--cores", "1",
                                     "--memory", "2g", "--webui-port", "0", self.url, core=number % os.cpu_count())
            wait_for(log, r"(Successfully registered)")
            self.workers.append(worker)

    def start(self, name, program, *words, core=None):
        pinned = [] if core is None else ["taskset", "--cpu-list", str(core)]
        log = os.path.join(self.scratch, f"{name}.log")
        with open(log, "wb") as file:
            # In a group of its own, with the executors that it starts.
            process = subprocess.Popen(
                [*pinned, os.path.join(HOME, "bin", "spark-class"), f"org.apache.spark.deploy.{program}", *words],
                stdout=file, stderr=file, env=self.environment, start_new_session=True)
        return process, log

    def submit(self, job, *words):
        """A job that is under way."""
        return submit(self.url, self.java, self.java, self.environment, job, *words)

    def kill(self, number):
        """A worker, its executor and the tools that this runs: as if its machine were gone."""
        os.killpg(self.workers[number].pid, signal.SIGKILL)
        self.workers[number].wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [*self.workers, self.master]:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def environment_of(scratch, environment):
    return dict(environment, SPARK_HOME=HOME, SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_HOSTNAME="localhost",
                SPARK_LOCAL_DIRS=os.path.join(scratch, "shuffle"), PYSPARK_PYTHON="python")


def submit(master, of_driver, of_executors, environment, job, *words):
    return subprocess.Popen(
        [os.path.join(HOME, "bin", "spark-submit"), "--master", master, "--conf", "spark.executor.memory=1g",
         "--driver-java-options", of_driver, "--conf", f"spark.executor.extraJavaOptions={of_executors}",
         "--conf", "spark.ui.enabled=false", "--py-files", os.path.join(os.path.dirname(job), "through.py"), job, *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def java_with_archive(scratch, environment, job, *words):
    """Options of the JVM with an archive of the classes that a job uses, as someone would have who runs it often."""
    archive = os.path.join(scratch, "classes.jsa")
    job = submit("local-cluster[1,1,1024]", f"{JAVA} -XX:ArchiveClassesAtExit={archive}", JAVA,
                 environment_of(scratch, environment), job, *words)
    output, errors = job.communicate()
    assert job.returncode == 0 and os.path.exists(archive), (output + errors)[-4000:]
    return f"{JAVA} -XX:SharedArchiveFile={archive}"


def wait_for(log, pattern):
    for _ in range(1200):
        with open(log) as file:
            if found := re.search(pattern, text := file.read()):
                return found[1]
        time.sleep(0.1)
    raise TimeoutError(f"{pattern} is not in:\n{text[-2000:]}")
