<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

class CreateMoorings extends Migration
{
    public function up()
    {
        Schema::create('moorings', function (Blueprint $table) {
            $table->id();
            $table->string('name');
            $table->unsignedBigInteger('harbor_id');
            $table->timestamps();
            $table->foreign('harbor_id')->references('id')->on('harbors')->onDelete('cascade');
        });
    }

    public function down()
    {
        Schema::dropIfExists('moorings');
    }
}
